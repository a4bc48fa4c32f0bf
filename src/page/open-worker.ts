/** Workers of the page. All run the page's own script, which finds that it has no document. */

/**
 * Opens a worker. It is ended if it cannot be started, for example because the web server is gone, or throws; then `failed`
 * is called: the page is slower without it, but has to answer the same.
 */
export function openWorker<Answer>(
  script: string,
  answered: (answer: Answer) => void,
  failed: () => void,
): Worker {
  const worker = new Worker(script, { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => answered(data));
  worker.addEventListener("error", () => {
    worker.terminate();
    failed();
  });
  return worker;
}
