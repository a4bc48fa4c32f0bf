/** What was said in an exchange, for whoever keeps it: noted while it is read and written, so that nothing is read twice. */

export interface Exchange {
  /** The octets of the request's body, once they have been read. */
  sent?: Uint8Array;
  /** The text of the answer's body. */
  answered?: string;
}

const exchanges = new WeakMap<Request, Exchange>();

/** Notes of this request are kept from now on. */
export function watchExchange(request: Request): Exchange {
  const exchange: Exchange = {};
  exchanges.set(request, exchange);
  return exchange;
}

/** The notes of a request; `undefined`: nobody keeps them. */
export function exchangeOf(request: Request): Exchange | undefined {
  return exchanges.get(request);
}
