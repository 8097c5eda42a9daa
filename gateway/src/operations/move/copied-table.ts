import { z } from 'zod'

/** A table of the gateway, as a move copies it. */
export interface CopiedTable {
  readonly name: string
  /** Those that are not computed from others. */
  readonly columns: readonly string[]
  /** The columns of the primary key. */
  readonly key: readonly string[]
}

export type Value = string | number | null | Uint8Array
/** The values of the columns of a table. */
export type Row = readonly Value[]

/** How far the copy of a table has come. */
export const tableMarkSchema = z.object({
  state: z.enum(['copying', 'copied', 'checked']),
  rows: z.number(),
  /** See `addToHash`. */
  hash: z.string(),
  /** Where the source goes on. */
  after: z
    .array(z.union([z.string(), z.number()]))
    .readonly()
    .nullable(),
  /** Statements that create the indexes once all rows are there. */
  indexes: z.array(z.string()),
})
export type TableMark = z.infer<typeof tableMarkSchema>

/** The marks of a move, in its target. */
export interface MoveMarks {
  /** The state of the source when the move began. */
  readonly stamp: string
  readonly tables: ReadonlyMap<string, TableMark>
}

/** Name of the mark of the whole move. */
export const stampMark = ''

export const unmarked: TableMark = { state: 'copying', rows: 0, hash: '0', after: null, indexes: [] }

/** A row that was read, and where in its table. */
export interface ReadRow {
  readonly row: Row
  readonly position: readonly (string | number)[]
}

/** The database that rows are read from. It does not change meanwhile. */
export interface MoveSource {
  /** Resolves with a text that is another after every change of the database. */
  stamp(): Promise<string>
  tables(): Promise<readonly CopiedTable[]>
  count(table: CopiedTable): Promise<number>
  /** Resolves with rows in the order of the table's key. */
  read(table: CopiedTable, after: TableMark['after'], limit: number): Promise<readonly ReadRow[]>
  /** Resolves with the last id that was given out, though its row may be gone; 0: ids are not numbered. */
  lastId(table: CopiedTable): Promise<number>
}

/** The database that rows are written to. What is written is marked in the same transaction. */
export interface MoveTarget {
  /** Resolves with null where no move has begun. */
  marks(): Promise<MoveMarks | null>
  /** Empties the tables, whatever they have, and drops their indexes. `earlier` are the marks of a move that is given up. */
  begin(stamp: string, tables: readonly CopiedTable[], earlier: MoveMarks | null): Promise<MoveMarks>
  write(table: CopiedTable, rows: readonly Row[], mark: TableMark): Promise<void>
  /** Creates the indexes, and goes on with ids after the last one. */
  complete(table: CopiedTable, mark: TableMark, lastId: number): Promise<void>
  mark(table: CopiedTable, mark: TableMark): Promise<void>
  readonly read: MoveSource['read']
  readonly count: MoveSource['count']
  /** Forgets the marks. */
  finish(): Promise<void>
}

/** Returns a row as both databases have it: PostgreSQL's texts cannot hold the character 0. */
export const portable = (row: Row): Row =>
  row.map((value) => (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value))

/** Adds rows to a hash that does not depend on their order, which differs between databases. */
export function addToHash(hash: string, rows: readonly Row[]): string {
  let sum = BigInt(`0x${hash}`)
  for (const row of rows) sum += Bun.hash.xxHash64(JSON.stringify(row.map(printable)))
  return BigInt.asUintN(64, sum).toString(16)
}

const printable = (value: Value): unknown => (value instanceof Uint8Array ? hexOf(value) : value)

/** Returns bytes in PostgreSQL's notation. */
export const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`
