import { hourSeconds } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'

import type { Context } from '../context'
import { parsedJson } from '../platform/text/parsed-json'
import type { Transaction } from '../platform/store/database'
import type { SealContext } from '../platform/store/seal'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'seal'>

const sealContextOf = (taskId: string): SealContext => `task_answers.sealed#${taskId}`

/** Keeps what a call in the background was answered with, in the transaction that charges it: no one pays for an answer that is lost. */
export async function storeTaskResponse(
  deps: Deps,
  taskId: string,
  json: string,
  transaction: Transaction,
): Promise<void> {
  const { catalog, clock, seal } = deps
  const { BackgroundResultHours: hours } = catalog.current.options
  const expiresAt = clock.seconds() + hours * hourSeconds
  const row = { task_id: taskId, sealed: seal.seal(json, sealContextOf(taskId)), expires_at: expiresAt }
  await transaction.insertInto('task_answers').values(row).execute()
}

/** A kept answer and when it expires, in unix seconds. */
export interface StoredTaskResponse {
  readonly body: JsonObject
  readonly expiresAt: number
}

/** Resolves with a kept answer; null when there is none, or none any more. */
export async function findTaskResponse(
  { clock, database, seal }: Omit<Deps, 'catalog'>,
  taskId: string,
): Promise<StoredTaskResponse | null> {
  const row = await database.query
    .selectFrom('task_answers')
    .select(['sealed', 'expires_at'])
    .where('task_id', '=', taskId)
    .where('expires_at', '>', clock.seconds())
    .executeTakeFirst()
  if (!row) return null
  const body = parsedJson(seal.open(row.sealed, sealContextOf(taskId)))
  return isObject(body) ? { body, expiresAt: row.expires_at } : null
}

/** Removes a kept answer. */
export const removeTaskResponse = async ({ database }: Pick<Context, 'database'>, taskId: string): Promise<void> =>
  void (await database.query.deleteFrom('task_answers').where('task_id', '=', taskId).execute())
