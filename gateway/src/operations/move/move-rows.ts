import { UpkeepError } from '../upkeep-error'
import {
  addToHash,
  portable,
  unmarked,
  type CopiedTable,
  type MoveSource,
  type MoveTarget,
  type TableMark,
} from './copied-table'
import { bytesOf, fetchedPages } from './fetched-pages'

const rowsAtOnce = 1000
/** The runtime would let what was copied gather for hundreds of megabytes. */
const bytesUntilCollected = 8 * 1024 * 1024

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
    let mark = marks.tables.get(table.name) ?? unmarked
    if (mark.state === 'copying') mark = await copyTable({ source, target }, table, mark)
    if (mark.state === 'copied') await checkTable({ source, target }, table, mark)
    if (mark.rows > 0) print(`${table.name}: ${mark.rows}`)
  }
  if ((await source.stamp()) !== stamp)
    throw new UpkeepError('The database was changed while it was copied. Stop every node, and repeat the move.')
}

type Databases = Omit<Move, 'print'>

async function copyTable({ source, target }: Databases, table: CopiedTable, from: TableMark): Promise<TableMark> {
  let mark = from
  for await (const page of pagesAfter(source, table, mark.after)) {
    const rows = page.rows.map(portable)
    mark = { ...mark, rows: mark.rows + rows.length, hash: addToHash(mark.hash, rows), after: page.last }
    await target.write(table, rows, mark)
  }
  await target.complete(table, mark, await source.lastId(table))
  mark = { ...mark, state: 'copied', indexes: [] }
  return mark
}

/** @throws UpkeepError where a table has other rows than its source. */
async function checkTable({ source, target }: Databases, table: CopiedTable, mark: TableMark): Promise<void> {
  let rows = 0
  let hash = unmarked.hash
  for await (const page of pagesAfter(target, table, null)) {
    rows += page.rows.length
    hash = addToHash(hash, page.rows)
  }
  const counts = [await source.count(table), mark.rows, await target.count(table), rows]
  if (new Set(counts).size > 1 || hash !== mark.hash)
    throw new UpkeepError(
      `The table ${table.name} was not copied as it is: ${counts.join(', ')} rows, hash ${mark.hash} and ${hash}. Empty the target, and repeat the move.`,
    )
  await target.mark(table, { ...mark, state: 'checked' })
}

async function* pagesAfter(store: Pick<MoveSource, 'read'>, table: CopiedTable, from: TableMark['after']) {
  let last = from
  const fetchRows = async (count: number) => {
    const page = await store.read(table, last, count)
    last = page.at(-1)?.position ?? last
    return page.map(({ row }) => row)
  }
  let uncollected = 0
  for await (const rows of fetchedPages(fetchRows, rowsAtOnce)) {
    yield { rows, last }
    uncollected += rows.reduce((sum, row) => sum + bytesOf(row), 0)
    if (uncollected < bytesUntilCollected) continue
    Bun.gc(true)
    uncollected = 0
  }
}
