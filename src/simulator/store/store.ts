/** The store port: tables of records with declared indexes. Every query is one that an index can serve. */

/** A plain record. Values that are not columns (objects) are kept, but cannot be asked for. */
export type Row = { readonly [name: string]: unknown };

/** What a column holds beside null; `texts`: a list of them. */
export type ColumnKind = "text" | "number" | "boolean" | "texts";

export interface TableSchema<R extends Row> {
  readonly name: string;
  /** The column that identifies a row within its table; always a string. */
  readonly key: keyof R & string;
  /** Every column that a query names, beside the key. */
  readonly columns: { readonly [column: string]: ColumnKind };
  /**
   * Column lists by whose leading columns rows are found, the last of which may give the order (where all
   * are fixed, the key does). They hold scalars; null comes last, texts are ordered by code point.
   */
  readonly indexes: readonly (readonly (keyof R & string)[])[];
  /** `fresh`: no key is ever used twice, so a store need not look for one before it inserts. */
  readonly keys?: "fresh";
  /** Columns in which `contains` and `search` look for text. */
  readonly text?: readonly (keyof R & string)[];
  /**
   * Keys begin with the time in `time`, 14 hex digits of its whole milliseconds (0 at least), so that a store can keep each
   * month apart.
   */
  readonly partition?: { readonly by: "month"; readonly time: keyof R & string };
}

export interface Filter<R extends Row> {
  /** Equality, the leading columns of an index. */
  readonly where: Partial<R>;
  /** Equality with any of the values, per column. */
  readonly anyOf?: Partial<{ readonly [Name in keyof R]: readonly R[Name][] }>;
  /** The array in `column` shares a value with `values`. */
  readonly overlaps?: { readonly column: keyof R & string; readonly values: readonly string[] };
  /** Case-insensitive substring of any of these columns; strings that are null hold nothing. */
  readonly contains?: readonly {
    readonly columns: readonly (keyof R & string)[];
    readonly text: string;
  }[];
  /** Exclusive bounds. */
  readonly range?: {
    readonly column: keyof R & string;
    readonly above?: number;
    readonly below?: number;
  };
}

export interface Query<R extends Row> extends Filter<R> {
  /** Ties are ordered by key, in the same direction. */
  readonly order: { readonly column: keyof R & string; readonly direction: "asc" | "desc" };
  /** Start at this row (inclusive), which need not exist any more: its value in the order's column, and its key. */
  readonly from?: { readonly value: string | number | boolean | null; readonly key: string };
  readonly offset?: number;
  readonly limit: number;
}

/**
 * A typo-tolerant search over text columns: rows of which one column is at least `LIMITS.wordSimilarityMin`
 * like `text`; best first, equals by key from the last one, or by `order`.
 */
export interface Search<R extends Row> extends Filter<R> {
  readonly columns: readonly (keyof R & string)[];
  readonly text: string;
  readonly order?: Query<R>["order"];
  readonly offset: number;
  readonly limit: number;
}

/** Rows are copied on their way in, and frozen; a column that is left out is null. */
export interface Table<R extends Row> {
  get(key: string): Promise<R | undefined>;
  /** Rejects with `DuplicateKeyError` when the key is taken. */
  insert(row: R): Promise<void>;
  /** Rejects with `MissingRowError` when the key is not there. */
  replace(row: R): Promise<void>;
  /** Whether a row was there. */
  delete(key: string): Promise<boolean>;
  /** How many rows went. */
  deleteWhere(where: Partial<R>): Promise<number>;
  /** Drops all rows of the months that ended at `ms` or before, by their keys; throws where months are not kept apart. */
  dropMonths(ms: number): Promise<void>;
  find(query: Query<R>): Promise<readonly R[]>;
  count(filter: Filter<R>): Promise<number>;
  search(search: Search<R>): Promise<{ readonly rows: readonly R[]; readonly total: number }>;
}

/** All tables as plain data; JSON-safe. */
export type Snapshot = { readonly [table: string]: readonly Row[] };

/** Some rows of one table. */
export interface TablePage {
  readonly table: string;
  readonly rows: readonly Row[];
}

/** The rows of a snapshot, a page at a time; a table may have several pages. */
export type SnapshotPages = Iterable<TablePage> | AsyncIterable<TablePage>;

export function pagesOf(snapshot: Snapshot): readonly TablePage[] {
  return Object.entries(snapshot).map(([table, rows]) => ({ table, rows }));
}

export interface Store {
  /** Tables are made when first named; a second schema of the same name must be the same. */
  table<R extends Row>(schema: TableSchema<R>): Table<R>;
  /**
   * Runs `work` alone: nothing else between its steps; a rejection undoes all its changes. What `work` calls
   * takes part, what is called elsewhere waits for its end. Not nested: that is refused.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * As `transaction`, but only what goes through the store that `work` is given takes part; on this one, it would wait for its own
   * end. In memory this is several times as fast: no call has to be followed to where it came from.
   */
  transactionOn<Result>(work: (inside: Store) => Promise<Result>): Promise<Result>;
  /** Runs `work`, whose reads all see one moment: within the caller's transaction, or alone. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  snapshot(): Promise<Snapshot>;
  /**
   * Replaces all rows; those of tables not named yet are kept for them. Where it rejects, or the pages do, nothing has
   * changed. No page is held longer than it takes to store it. Not within a transaction.
   */
  restore(pages: SnapshotPages): Promise<void>;
  close(): Promise<void>;
}

/** The store cannot be reached or written to now; the operation was not done, or not confirmed. */
export class StoreUnavailableError extends Error {}
export class DuplicateKeyError extends Error {}
export class MissingRowError extends Error {}
