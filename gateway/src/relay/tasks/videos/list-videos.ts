import { DialectError, type JsonObject } from '@tollgate/dialects'

import type { Language } from '../../../http/language'
import type { Queries } from '../../../platform/store/database'
import { ownTasks, type TaskOwner } from '../../../tasks/task-store'
import { videoObject } from './video-object'

const usualLimit = 20
const maxRows = 100

/** A page of an owner's videos. */
interface Page extends TaskOwner {
  readonly limit: number
  readonly isAscending: boolean
  /** The id of the last video of the page before. */
  readonly after: string | null
}

/** Reads the parameters of a list. @throws DialectError */
export function readPage(query: string, owner: TaskOwner): Page {
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get('limit') ?? usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxRows)
    throw invalid('limit', `expected a number from 1 to ${maxRows}`)
  const order = parameters.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalid('order', 'expected asc or desc')
  return { ...owner, limit, isAscending: order === 'asc', after: parameters.get('after') }
}

/**
 * Resolves with a page of a user's videos. https://platform.openai.com/docs/api-reference/videos/list
 * @throws DialectError for a cursor that is not one of them.
 */
export async function listVideos(query: Queries, page: Page, language: Language): Promise<JsonObject> {
  const { userId, tokenId, limit, isAscending, after } = page
  const [cursor = null] = after === null ? [] : await ownTasks(query, [after], { userId, tokenId, platform: 'video' })
  if (after !== null && cursor === null) throw invalid('after', 'there is no such video')
  const order = isAscending ? 'asc' : 'desc'
  const rows = await query
    .selectFrom('tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(tokenId !== null, (select) => select.where('token_id', '=', tokenId ?? 0))
    .where('platform', '=', 'video')
    .where('deleted_at', 'is', null)
    .$if(cursor !== null, (select) =>
      select.where((where) => {
        const { submitted_at: time, id } = cursor ?? { submitted_at: 0, id: 0 }
        const beyond = isAscending ? '>' : '<'
        return where.or([
          where('submitted_at', beyond, time),
          where.and([where('submitted_at', '=', time), where('id', beyond, id)]),
        ])
      }),
    )
    .orderBy('submitted_at', order)
    .orderBy('id', order)
    .limit(limit + 1)
    .execute()
  const data = rows.slice(0, limit).map((row) => videoObject(row, language))
  return {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: rows.length > limit,
  }
}

const invalid = (param: string, expected: string): DialectError =>
  new DialectError(param, 'invalid_value', `Invalid '${param}': ${expected}.`)
