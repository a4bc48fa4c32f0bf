/** Work that may wait until the browser has painted. */

/** Runs `act` when the next frame has been painted. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act, 0));
}
