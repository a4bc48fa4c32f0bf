/** Events as an event stream (HTML Living Standard §9.2), resumable by `Last-Event-ID`. */
import type { WatchedEvent } from "./event-feed.ts";

/** Milliseconds of silence until a comment is sent, so that a lost connection is noticed. */
const COMMENT_MS = 15_000;

function written({ id, kind, ...event }: WatchedEvent): string {
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify({ id, kind, ...event })}\n\n`;
}

/** The stream ends when its reader leaves or one of `ends` aborts. */
export function eventStream(
  watch: (signal: AbortSignal) => AsyncIterator<WatchedEvent, void>,
  ends: readonly AbortSignal[],
): Response {
  const encoder = new TextEncoder();
  const cancelled = new AbortController();
  const events = watch(AbortSignal.any([cancelled.signal, ...ends]));
  let timer: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearInterval(timer);
    cancelled.abort();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Sent at once, so that the client knows that it is connected.
      controller.enqueue(encoder.encode(": connected\n\n"));
      timer = setInterval(() => controller.enqueue(encoder.encode(":\n\n")), COMMENT_MS);
      timer.unref();
    },
    async pull(controller) {
      const { value, done } = await events.next();
      if (done === true) {
        end();
        controller.close();
      } else controller.enqueue(encoder.encode(written(value)));
    },
    cancel: end,
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return new Response(body, { headers });
}
