import { endedTaskStatuses } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { BatchRow, TaskRow } from '../../platform/store/tables'
import { ownTasks, type TaskOwner } from '../task-store'

/** A batch with its task. */
export interface Batch {
  readonly task: TaskRow
  readonly row: BatchRow
}

export const batchRow = (query: Queries | Transaction, taskId: string): Promise<BatchRow | undefined> =>
  query.selectFrom('batches').selectAll().where('task_id', '=', taskId).executeTakeFirst()

/** Resolves with a batch of its owner, in the dialect in which it was submitted; null also for one of another. */
export async function ownBatch(query: Queries, id: string, owner: TaskOwner, dialect: string): Promise<Batch | null> {
  const [task] = await ownTasks(query, [id], { ...owner, platform: 'batch' })
  const row = task && (await batchRow(query, id))
  return task && row?.dialect === dialect ? { task, row } : null
}

/** A page of an owner's batches. */
export interface BatchPage {
  readonly owner: TaskOwner
  readonly dialect: string
  readonly limit: number
  readonly isAscending: boolean
  /** The batch that the page comes after, in its order. */
  readonly after: Batch | null
}

/** Resolves with one more than the page has, where there are more. */
export async function listBatches(
  query: Queries,
  { owner, dialect, limit, isAscending, after }: BatchPage,
): Promise<Batch[]> {
  const { userId, tokenId } = owner
  const tasks = await query
    .selectFrom('tasks')
    .innerJoin('batches', 'batches.task_id', 'tasks.public_id')
    .selectAll('tasks')
    .where('tasks.user_id', '=', userId)
    .where('tasks.platform', '=', 'batch')
    .where('tasks.deleted_at', 'is', null)
    .where('batches.dialect', '=', dialect)
    .$if(tokenId !== null, (select) => select.where('tasks.token_id', '=', tokenId ?? 0))
    .$if(after !== null, (select) => select.where('tasks.id', isAscending ? '>' : '<', after?.task.id ?? 0))
    .orderBy('tasks.id', isAscending ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  if (tasks.length === 0) return []
  const rows = await query
    .selectFrom('batches')
    .selectAll()
    .where(
      'task_id',
      'in',
      tasks.map((task) => task.public_id),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.task_id, row]))
  return tasks.flatMap((task) => {
    const row = byId.get(task.public_id)
    return row ? [{ task, row }] : []
  })
}

/** How many of a user's batches have not ended. Called in the transaction of a new one's hold, which has locked the balance. */
export async function countOpenBatches(transaction: Transaction, userId: number): Promise<number> {
  const open = await transaction
    .selectFrom('tasks')
    .select('id')
    .where('user_id', '=', userId)
    .where('platform', '=', 'batch')
    .where('status', 'not in', endedTaskStatuses)
    .execute()
  return open.length
}

/** After its day, a batch has this long to be ended by its vendor. */
export const graceMs = 3_600_000

/** A worker that does not renew its claim within this time has lost it: another one goes on. */
export const claimMs = 30_000

type ClaimDeps = Pick<Context, 'clock' | 'database'>

/** Resolves with batches that no worker runs, at most `limit`, which this worker runs from now on. */
export async function claimBatches(
  { clock, database: { query } }: ClaimDeps,
  worker: string,
  limit: number,
): Promise<Batch[]> {
  const now = clock.now()
  const due = await query
    .selectFrom('batches')
    .select(['task_id', 'claimed_until'])
    .where('claimed_until', '<=', now)
    .orderBy('claimed_until')
    .limit(limit)
    .execute()
  const claimed: Batch[] = []
  for (const { task_id: id, claimed_until: until } of due) {
    const row = await query
      .updateTable('batches')
      .set({ claimed_by: worker, claimed_until: now + claimMs })
      .where('task_id', '=', id)
      .where('claimed_until', '=', until)
      .returningAll()
      .executeTakeFirst()
    const task = row && (await query.selectFrom('tasks').selectAll().where('public_id', '=', id).executeTakeFirst())
    if (row && task) claimed.push({ row, task })
  }
  return claimed
}

/** Renews the claims of a worker. Resolves with the batches that are still its own. */
export async function renewClaims(
  { clock, database: { query } }: ClaimDeps,
  worker: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await query
    .updateTable('batches')
    .set({ claimed_until: clock.now() + claimMs })
    .where('claimed_by', '=', worker)
    .where('claimed_until', 'is not', null)
    .where('task_id', 'in', ids)
    .returning('task_id')
    .execute()
  return new Set(rows.map((row) => row.task_id))
}

/** Lets go of a batch that has not ended: another worker goes on with it. */
export async function releaseClaim({ clock, database }: ClaimDeps, worker: string, id: string): Promise<void> {
  await database.query
    .updateTable('batches')
    .set({ claimed_by: '', claimed_until: clock.now() })
    .where('task_id', '=', id)
    .where('claimed_by', '=', worker)
    .where('claimed_until', 'is not', null)
    .execute()
}

/** Leaves a batch alone until there is something to do for it; another worker may do that. */
export async function pauseClaim(
  { database }: Pick<Context, 'database'>,
  worker: string,
  id: string,
  dueAt: number,
): Promise<void> {
  await database.query
    .updateTable('batches')
    .set({ claimed_by: '', claimed_until: dueAt })
    .where('task_id', '=', id)
    .where('claimed_by', '=', worker)
    .where('claimed_until', 'is not', null)
    .execute()
}

/** Makes a batch due that is left alone, as its owner wants something of it. */
export async function wakeBatch({ clock, database }: ClaimDeps, id: string): Promise<void> {
  const now = clock.now()
  await database.query
    .updateTable('batches')
    .set({ claimed_until: now })
    .where('task_id', '=', id)
    .where('claimed_by', '=', '')
    .where('claimed_until', '>', now)
    .execute()
}
