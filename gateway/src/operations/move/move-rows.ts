import { UpkeepError } from '../upkeep-error'
import {
  copyLine,
  RowSum,
  unmarked,
  type CopiedRows,
  type CopiedTable,
  type MoveSource,
  type MoveTarget,
  type TableMark,
} from './copied-table'
import { fetchedPages } from './fetched-pages'

const rowsAtOnce = 2000
/** The runtime would let what was copied gather for hundreds of megabytes. */
const bytesUntilCollected = 16 * 1024 * 1024
/** About what a row takes beside its text. */
const bytesOfRow = 1000

interface Move {
  readonly source: MoveSource
  readonly target: MoveTarget
  readonly print: (line: string) => void
}

/**
 * Copies every row, and compares what arrived: the number of rows of each table, and a hash of all their values. Goes on where a move from the
 * same state of the source has stopped.
 * @throws UpkeepError where the databases differ in the end.
 */
export async function moveRows({ source, target, print }: Move): Promise<void> {
  const stamp = await source.stamp()
  const tables = await source.tables()
  const found = await target.marks()
  const isResumed = found?.stamp === stamp
  if (isResumed) print('The move goes on where it was interrupted.')
  else if (found) print('The database has changed since the move was interrupted: it begins anew.')
  const marks = isResumed ? found : await target.begin(stamp, tables, found)
  for (const table of tables) {
    const mark = await moveTable({ source, target }, table, marks.tables.get(table.name) ?? unmarked)
    if (mark.rows > 0) print(`${table.name}: ${mark.rows}`)
  }
  if ((await source.stamp()) !== stamp)
    throw new UpkeepError('The database was changed while it was copied. Stop every node, and repeat the move.')
}

type Databases = Omit<Move, 'print'>

async function moveTable(databases: Databases, table: CopiedTable, from: TableMark): Promise<TableMark> {
  const { source, target } = databases
  const mark = from.state === 'copying' ? await copyTable(databases, table, from) : from
  if (mark.state === 'checked') return mark
  const lastId = await source.lastId(table)
  const [sum] = await Promise.all([
    target.sum(table),
    mark.state === 'copying' ? target.complete(table, mark, lastId) : null,
  ])
  const counts = [await source.count(table), mark.rows, sum.rows]
  if (new Set(counts).size > 1 || sum.hash !== mark.hash)
    throw new UpkeepError(
      `The table ${table.name} was not copied as it is: ${counts.join(', ')} rows, hash ${mark.hash} and ${sum.hash}. Empty the target, and repeat the move.`,
    )
  const checked: TableMark = { ...mark, state: 'checked', indexes: [] }
  await target.mark(table, checked)
  return checked
}

/** Resolves with the mark after the last row. Rows are read while those before them are written. */
async function copyTable({ source, target }: Databases, table: CopiedTable, from: TableMark): Promise<TableMark> {
  const sum = new RowSum(from)
  let mark = from
  let writing = Promise.resolve()
  try {
    for await (const { last, ...page } of pagesAfter(source, table, from.after)) {
      for (const line of page.lines) sum.add(line)
      mark = { ...mark, rows: sum.rows, hash: sum.hash, after: last }
      await writing
      writing = target.write(table, page, mark)
      // It fails this copy below, maybe after the next rows have come.
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
  return mark
}

interface Line {
  readonly row: CopiedRows['rows'][number]
  readonly line: string
}

/** Yields the rows of a table in the order of its key. */
export async function* pagesAfter(
  store: Pick<MoveSource, 'read'>,
  table: CopiedTable,
  from: TableMark['after'],
): AsyncGenerator<CopiedRows & { readonly last: TableMark['after'] }> {
  let last = from
  const fetchRows = async (count: number): Promise<readonly Line[]> => {
    const page = await store.read(table, last, count)
    last = page.last ?? last
    return page.rows.map((row) => ({ row, line: copyLine(row) }))
  }
  let uncollected = 0
  for await (const page of fetchedPages(fetchRows, { maxRows: rowsAtOnce, sizeOf: ({ line }) => line.length })) {
    const lines = page.map(({ line }) => line)
    yield { rows: page.map(({ row }) => row), lines, last }
    uncollected += lines.reduce((sum, line) => sum + line.length + bytesOfRow, 0)
    if (uncollected < bytesUntilCollected) continue
    Bun.gc(true)
    uncollected = 0
  }
}
