/** The store port: tables of records with declared indexes. Every query is one that an index can serve. */

/** A plain record. Values that are not columns (objects) are stored, but queries cannot use them. */
export type Row = { readonly [name: string]: unknown };

/** The kind of a column's values besides null; `texts` is a list of texts. */
export type ColumnKind = "text" | "number" | "boolean" | "texts";

export interface TableSchema<R extends Row> {
  readonly name: string;
  /** The column that identifies a row within its table; always a string. */
  readonly key: keyof R & string;
  /** All columns that queries name, besides the key. */
  readonly columns: { readonly [column: string]: ColumnKind };
  /**
   * Lists of columns. A query fixes leading columns of a list, and the next one may give the order (the key does if all are
   * fixed). The columns have scalars; null comes last, and texts are ordered by code point.
   */
  readonly indexes: readonly (readonly (keyof R & string)[])[];
  /** `fresh`: no key is ever used twice, so a store need not look for the key before an insert. */
  readonly keys?: "fresh";
  /** Columns that `contains` and `search` can use. */
  readonly text?: readonly (keyof R & string)[];
  /**
   * Keys begin with the time in `time`, as 14 hex digits of its whole milliseconds (at least 0), so that a store can partition
   * the table by month.
   */
  readonly partition?: { readonly by: "month"; readonly time: keyof R & string };
}

export interface Filter<R extends Row> {
  /** Equality with the leading columns of an index. */
  readonly where: Partial<R>;
  /** Equality with any of the values, per column. */
  readonly anyOf?: Partial<{ readonly [Name in keyof R]: readonly R[Name][] }>;
  /** The array in `column` shares a value with `values`. */
  readonly overlaps?: { readonly column: keyof R & string; readonly values: readonly string[] };
  /** Case-insensitive substring of any of these columns; null contains nothing. */
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
  /** Start at this row (inclusive), given by its value in the order's column and its key; the row may be deleted by now. */
  readonly from?: { readonly value: string | number | boolean | null; readonly key: string };
  readonly offset?: number;
  readonly limit: number;
}

/**
 * A typo-tolerant search over text columns: rows with a column whose similarity to `text` is at least
 * `LIMITS.wordSimilarityMin`. Best first, equal ones by descending key, or all by `order`.
 */
export interface Search<R extends Row> extends Filter<R> {
  readonly columns: readonly (keyof R & string)[];
  readonly text: string;
  readonly order?: Query<R>["order"];
  readonly offset: number;
  readonly limit: number;
}

/** Rows are copied and frozen when they are stored; a missing column is null. */
export interface Table<R extends Row> {
  get(key: string): Promise<R | undefined>;
  /** Returns the row as stored. Rejects with `DuplicateKeyError` if the key exists. */
  insert(row: R): Promise<R>;
  /** Returns the row as stored. Rejects with `MissingRowError` if the key does not exist. */
  replace(row: R): Promise<R>;
  /** Returns whether the row existed. */
  delete(key: string): Promise<boolean>;
  /** Returns how many rows were deleted. */
  deleteWhere(where: Partial<R>): Promise<number>;
  /** Drops all rows of months that ended at `ms` or before, by their keys. Throws if the table is not partitioned by month. */
  dropMonths(ms: number): Promise<void>;
  find(query: Query<R>): Promise<readonly R[]>;
  count(filter: Filter<R>): Promise<number>;
  search(search: Search<R>): Promise<{ readonly rows: readonly R[]; readonly total: number }>;
}

/** All tables as plain, JSON-safe records. */
export type Snapshot = { readonly [table: string]: readonly Row[] };

/** Some rows of one table. */
export interface TablePage {
  readonly table: string;
  readonly rows: readonly Row[];
}

/** The rows of a snapshot in pages; a table may have several. */
export type SnapshotPages = Iterable<TablePage> | AsyncIterable<TablePage>;

export function pagesOf(snapshot: Snapshot): readonly TablePage[] {
  return Object.entries(snapshot).map(([table, rows]) => ({ table, rows }));
}

export interface Store {
  /** Returns a table, created when it is first named. Every call with the same name must give the same schema. */
  table<R extends Row>(schema: TableSchema<R>): Table<R>;
  /**
   * Runs `work` alone, with nothing else between its steps; if it rejects, all its changes are undone. Calls made by `work`
   * take part, other calls wait for its end. A nested transaction is refused.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Like `transaction`, but only calls on the store passed to `work` take part; a call on this store would wait for its own
   * end. In memory this is several times as fast, because no call's origin has to be tracked.
   */
  transactionOn<Result>(work: (inside: Store) => Promise<Result>): Promise<Result>;
  /** Runs `work`, whose reads all see the same moment: within the caller's transaction, or alone. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  snapshot(): Promise<Snapshot>;
  /**
   * Hands all rows, as they are at one moment, to `take`: tables by name, rows by key, a page at a time, and the next once `take` is
   * done. Rows written meanwhile are left out. Each table has at least one page, perhaps an empty one.
   */
  readPages(take: (page: TablePage) => Promise<void>): Promise<void>;
  /**
   * Replaces all rows; rows of tables that are not in use yet are kept for them. If it or the pages reject, nothing has
   * changed. Each page is released as soon as it is stored. Not allowed within a transaction.
   */
  restore(pages: SnapshotPages): Promise<void>;
  close(): Promise<void>;
}

/** The store cannot be reached or written to at present; the operation was not done, or not confirmed. */
export class StoreUnavailableError extends Error {}
export class DuplicateKeyError extends Error {}
export class MissingRowError extends Error {}
