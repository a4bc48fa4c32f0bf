/** A binary heap of timers, ordered by time and then by creation; any of them can be removed. */

export interface HeapTimer {
  readonly atMs: number;
  /** Grows with each timer made. */
  readonly serial: number;
  /** Place in the heap, or -1 outside; the heap's own. */
  place: number;
}

/** Negative when `left` is due first. */
export function compareTimers(left: HeapTimer, right: HeapTimer): number {
  return left.atMs - right.atMs || left.serial - right.serial;
}

export interface TimerHeap<T extends HeapTimer> {
  add(timer: T): void;
  first(): T | undefined;
  /** Returns whether it was in the heap. */
  remove(timer: T): boolean;
  clear(): void;
}

export function createTimerHeap<T extends HeapTimer>(): TimerHeap<T> {
  const heap: T[] = [];

  const put = (timer: T, place: number): void => {
    heap[place] = timer;
    timer.place = place;
  };

  function rise(timer: T, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = heap[(place - 1) >> 1]!;
      if (compareTimers(parent, timer) < 0) break;
      const above = parent.place;
      put(parent, place);
      place = above;
    }
    put(timer, place);
  }

  function sink(timer: T, from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      if (left >= heap.length) break;
      const isRight = right < heap.length && compareTimers(heap[right]!, heap[left]!) < 0;
      const child = isRight ? right : left;
      if (compareTimers(timer, heap[child]!) < 0) break;
      put(heap[child]!, place);
      place = child;
    }
    put(timer, place);
  }

  return {
    add: (timer) => rise(timer, heap.length),
    first: () => heap[0],
    remove(timer) {
      const { place } = timer;
      if (place < 0 || heap[place] !== timer) return false;
      timer.place = -1;
      const last = heap.pop()!;
      if (last === timer) return true;
      // The last one takes the empty place, and may then have to move up or down.
      sink(last, place);
      rise(last, last.place);
      return true;
    },
    clear() {
      for (const timer of heap) timer.place = -1;
      heap.length = 0;
    },
  };
}
