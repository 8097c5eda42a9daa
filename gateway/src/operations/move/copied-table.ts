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
  /** See `RowSum`. */
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

/** Rows that were read one after the other. */
export interface ReadRows {
  readonly rows: readonly Row[]
  /** Where the last one is in its table. */
  readonly last: TableMark['after']
}

/** Rows that are copied. */
export interface CopiedRows {
  readonly rows: readonly Row[]
  /** As `copyLine` writes them. */
  readonly lines: readonly string[]
}

/** The database that rows are read from. It does not change meanwhile. */
export interface MoveSource {
  /** Resolves with a text that is another after every change of the database. */
  stamp(): Promise<string>
  tables(): Promise<readonly CopiedTable[]>
  count(table: CopiedTable): Promise<number>
  /** Resolves with rows in the order of the table's key. */
  read(table: CopiedTable, after: TableMark['after'], limit: number): Promise<ReadRows>
  /** Resolves with the last id that was given out, though its row may be gone; 0: ids are not numbered. */
  lastId(table: CopiedTable): Promise<number>
}

/** The database that rows are written to. What is written is marked in the same transaction. */
export interface MoveTarget {
  /** Resolves with null where no move has begun. */
  marks(): Promise<MoveMarks | null>
  /** Empties the tables, whatever they have, and drops their indexes. `earlier` are the marks of a move that is given up. */
  begin(stamp: string, tables: readonly CopiedTable[], earlier: MoveMarks | null): Promise<MoveMarks>
  write(table: CopiedTable, copied: CopiedRows, mark: TableMark): Promise<void>
  /** Creates the indexes, and goes on with ids after the last one. */
  complete(table: CopiedTable, mark: TableMark, lastId: number): Promise<void>
  mark(table: CopiedTable, mark: TableMark): Promise<void>
  /** Resolves with the number of rows that are there, and their hash. May run beside `complete`. */
  sum(table: CopiedTable): Promise<RowSum>
  /** Forgets the marks. */
  finish(): Promise<void>
}

/** The number of rows, and a hash of them that does not depend on their order, which differs between databases. */
export class RowSum {
  #rows: number
  #hash: bigint

  constructor({ rows, hash }: Pick<TableMark, 'rows' | 'hash'> = unmarked) {
    this.#rows = rows
    this.#hash = BigInt(`0x${hash}`)
  }

  /** Adds a row, as `copyLine` writes it. */
  add(line: string | Uint8Array): void {
    this.#rows += 1
    this.#hash = BigInt.asUintN(64, this.#hash + Bun.hash.xxHash64(line))
  }

  get rows(): number {
    return this.#rows
  }

  get hash(): string {
    return this.#hash.toString(16)
  }
}

/** Returns a row as PostgreSQL's `COPY` writes it, without the end of the line. https://www.postgresql.org/docs/current/sql-copy.html */
export function copyLine(row: Row): string {
  let line = ''
  for (let at = 0; at < row.length; at += 1) line += at === 0 ? copyText(row[at]) : `\t${copyText(row[at])}`
  return line
}

function copyText(value: Value | undefined): string {
  if (value === null || value === undefined) return String.raw`\N`
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return String.raw`\\x` + Buffer.from(value).toString('hex')
  return special.test(value) ? value.replaceAll(eachSpecial, (character) => escapes[character] ?? character) : value
}

// eslint-disable-next-line no-control-regex
const special = /[\\\0\b\f\n\r\t\v]/
// eslint-disable-next-line no-control-regex
const eachSpecial = /[\\\0\b\f\n\r\t\v]/g

/** PostgreSQL's texts cannot hold the character 0. */
const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\0': '\uFFFD',
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
}
