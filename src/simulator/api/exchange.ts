/** Records the bodies of a request and its answer while they are read and written, so that none is read twice. */

export interface Exchange {
  /** The octets of the request's body, once they have been read. */
  sent?: Uint8Array;
  /** The text of the answer's body. */
  answered?: string;
}

const exchanges = new WeakMap<Request, Exchange>();

/** Starts recording a request. */
export function watchExchange(request: Request): Exchange {
  const exchange: Exchange = {};
  exchanges.set(request, exchange);
  return exchange;
}

/** The record of a request; `undefined` if it is not recorded. */
export function exchangeOf(request: Request): Exchange | undefined {
  return exchanges.get(request);
}
