import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import type { TaskRow } from '../platform/store/tables'
import { bucketOf, keyIn } from './bucket/bucket'
import { maxObjectBytes, putObject } from './bucket/bucket-objects'
import { openResult } from './open-result'
import {
  dayOf,
  keepsResults,
  nameResult,
  ResultTooLarge,
  spoolResult,
  type StoredFile,
  type Spooled,
} from './result-folder'
import { readResults, toStoredJson, type StoredResult } from './task-store'

type Deps = Pick<
  Context,
  'catalog' | 'clock' | 'config' | 'database' | 'fetch' | 'log' | 'outbound' | 'random' | 'seal' | 'timers'
>

const maxTries = 5
const pauseMs = 60_000
const bytesAMegabyte = 1024 * 1024

/** A worker that has not finished with a task by now is dead. A second one that fetches the same does no harm. */
const claimMs = 1_800_000
/** Results are large; tasks of vendors that are slow must not hold up all others. */
const tasksAtOnce = 4

/** Fetches the results of all finished tasks that are due. */
export async function storeDueResults(deps: Deps, signal: AbortSignal): Promise<void> {
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const row = await claimNext(deps)
      if (!row) return
      await storeResults(deps, row)
    }
  }
  await Promise.all(Array.from({ length: tasksAtOnce }, work))
}

/** Compare-and-set: of several that see the same task one gets it, and the others look again. */
async function claimNext({ clock, database: { query } }: Deps): Promise<TaskRow | null> {
  for (;;) {
    const now = clock.now()
    const due = await query
      .selectFrom('tasks')
      .select(['id', 'poll_at'])
      .where('poll_at', '<=', now)
      .where('status', '=', 'SUCCESS')
      .orderBy('poll_at')
      .limit(1)
      .executeTakeFirst()
    if (!due) return null
    const claimed = await query
      .updateTable('tasks')
      .set({ poll_at: now + claimMs })
      .where('id', '=', due.id)
      .where('poll_at', '=', due.poll_at)
      .returningAll()
      .executeTakeFirst()
    if (claimed) return claimed
  }
}

/** Stores the results of a finished task. What fails is tried again a few times; after that the results stay at the vendor. */
async function storeResults(deps: Deps, row: TaskRow): Promise<void> {
  const { clock, database } = deps
  const results = keepsResults(deps) ? readResults(row) : []
  const after: StoredResult[] = []
  let hasFailed = false
  for (const [index, result] of results.entries()) {
    const outcome = result.kept ?? (await keep(deps, row, { ...result, index }))
    hasFailed ||= outcome === 'failed'
    after.push(typeof outcome === 'object' && outcome !== null ? { ...result, kept: outcome } : result)
  }
  const isLast = !hasFailed || row.losses + 1 >= maxTries
  await database.query
    .updateTable('tasks')
    .set({
      ...(results.length > 0 && { results: toStoredJson(after) }),
      poll_at: isLast ? null : clock.now() + pauseMs * 2 ** row.losses,
      losses: isLast ? 0 : row.losses + 1,
    })
    .where('id', '=', row.id)
    .where('status', '=', 'SUCCESS')
    .execute()
}

/** Resolves with the kept file; null for one that is too large. */
async function keep(
  deps: Deps,
  row: TaskRow,
  result: StoredResult & { readonly index: number },
): Promise<StoredFile | 'failed' | null> {
  const { TaskResultMegabytes: maxMegabytes, TaskResultStorage: storage } = deps.catalog.current.options
  const name = `${dayOf(row.finished_at)}/${row.public_id}-${result.index}`
  try {
    const { contentType, body } = await openResult(deps, row, result)
    const maxBytes = Math.min(maxMegabytes * bytesAMegabyte, storage === 'bucket' ? maxObjectBytes : Infinity)
    await using spooled = await spoolResult(deps, name, body, maxBytes)
    if (storage === 'bucket') return await keepInBucket(deps, { name, contentType }, spooled)
    await nameResult(deps, spooled, name)
    return { name, contentType }
  } catch (error) {
    deps.log.warn({ error, task: row.public_id }, 'a result of a task could not be kept')
    return error instanceof ResultTooLarge ? null : 'failed'
  }
}

/** The bytes go from the disk to the bucket, as its protocol wants to know their number and hash first. */
async function keepInBucket(
  deps: Deps,
  { name, contentType }: StoredFile,
  { path, size, sha256 }: Spooled,
): Promise<StoredFile> {
  const bucket = bucketOf(deps.catalog.current.options)
  if (!bucket) throw new AppError('bucket.unset')
  const key = keyIn(bucket, name)
  await putObject(deps, bucket, { key, contentType }, { body: Bun.file(path).stream(), size, sha256 })
  return { name: key, contentType, place: 'bucket' }
}
