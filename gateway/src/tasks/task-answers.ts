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

/** An image within an answer of OpenAI's images API. One of `url` and `base64` says where it is. */
export interface ResponseImage {
  readonly url?: string
  readonly base64?: string
  readonly contentType: string
}

/** Returns the images of an answer, in order. https://platform.openai.com/docs/api-reference/images/object */
export function imagesOf({ data, output_format: format }: JsonObject): readonly ResponseImage[] {
  const contentType = `image/${typeof format === 'string' ? format : 'png'}`
  if (!Array.isArray(data)) return []
  return data.filter(isObject).flatMap(({ url, b64_json: base64 }) => {
    if (typeof url === 'string' && url.startsWith('data:')) return [withinAddress(url)]
    if (typeof url === 'string' && url !== '') return [{ url, contentType }]
    return typeof base64 === 'string' ? [{ base64, contentType }] : []
  })
}

/** An image may be its own address: `data:image/png;base64,…`. */
function withinAddress(url: string): ResponseImage {
  const comma = url.indexOf(',')
  const [type = ''] = url.slice('data:'.length, comma).split(';')
  return { base64: url.slice(comma + 1), contentType: type }
}
