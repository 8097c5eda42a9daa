import type { Context } from '../context'
import type { TaskRow } from '../store/tables'
import { openResult } from './open-result'
import { dayOf, keepResult, keepsResults, ResultTooLarge, type KeptFile } from './result-folder'
import { readResults, stored, type StoredResult } from './task-store'

type Parts = Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'fetch' | 'log' | 'outbound' | 'seal'>

const mostTries = 5
const pauseMs = 60_000
const bytesAMegabyte = 1024 * 1024

/** Fetches the results of a finished task into the data folder. What fails is tried again some times; then they stay where they are. */
export async function storeResults(parts: Parts, row: TaskRow): Promise<void> {
  const { clock, database } = parts
  const results = keepsResults(parts) ? readResults(row) : []
  const after: StoredResult[] = []
  let hasFailed = false
  for (const [place, result] of results.entries()) {
    const kept = result.kept ?? (await keep(parts, row, { ...result, place }))
    hasFailed ||= kept === 'failed'
    after.push(typeof kept === 'object' && kept !== null ? { ...result, kept } : result)
  }
  const isLast = !hasFailed || row.losses + 1 >= mostTries
  await database.query
    .updateTable('tasks')
    .set({
      ...(results.length > 0 && { results: stored(after) }),
      poll_at: isLast ? null : clock.now() + pauseMs * 2 ** row.losses,
      losses: isLast ? 0 : row.losses + 1,
    })
    .where('id', '=', row.id)
    .where('status', '=', 'SUCCESS')
    .execute()
}

/** Resolves with the kept file; null for one that is too large. */
async function keep(
  parts: Parts,
  row: TaskRow,
  result: StoredResult & { readonly place: number },
): Promise<KeptFile | 'failed' | null> {
  const { TaskResultMegabytes: most } = parts.catalog.current.options
  try {
    const { contentType, body } = await openResult(parts, row, result)
    const file = { name: `${dayOf(row.finished_at)}/${row.public_id}-${result.place}`, contentType }
    await keepResult(parts, file, body, most * bytesAMegabyte)
    return file
  } catch (error) {
    parts.log.warn({ error, task: row.public_id }, 'a result of a task could not be kept')
    return error instanceof ResultTooLarge ? null : 'failed'
  }
}
