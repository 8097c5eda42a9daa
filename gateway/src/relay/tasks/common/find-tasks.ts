import { taskPlatforms } from '@tollgate/contract'
import { DialectError } from '@tollgate/dialects'

import type { Queries } from '../../../platform/store/database'
import type { TaskRow } from '../../../platform/store/tables'
import type { TaskOwner } from '../../../tasks/task-store'

const usualLimit = 20
const maxRows = 100

/** Which of a user's tasks are listed, newest first. */
export interface TaskPage {
  /** The list is made of the parts of each, which an index holds in order. */
  readonly platforms: readonly string[]
  readonly limit: number
  /** Milliseconds; null: from the newest on. */
  readonly before: number | null
}

/** Reads the parameters of a list. @throws DialectError */
export function readTaskPage(query: string): TaskPage {
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get('limit') ?? usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxRows)
    throw invalid('limit', `expected a number from 1 to ${maxRows}`)
  const before = parameters.get('before')
  const beforeMs = before === null ? null : Number(before) * 1000
  if (beforeMs !== null && !Number.isSafeInteger(beforeMs)) throw invalid('before', 'expected a unix time in seconds')
  const platform = parameters.get('platform')
  return { platforms: platform === null ? taskPlatforms : [platform], limit, before: beforeMs }
}

const invalid = (param: string, expected: string): DialectError =>
  new DialectError(param, 'invalid_value', `Invalid '${param}': ${expected}.`)

/** Resolves with a page of an owner's tasks, and whether there are more. */
export async function findTasks(
  query: Queries,
  { userId, tokenId }: TaskOwner,
  { platforms: names, limit, before }: TaskPage,
): Promise<{ readonly rows: readonly TaskRow[]; readonly hasMore: boolean }> {
  const parts = await Promise.all(
    names.map((platform) =>
      query
        .selectFrom('tasks')
        .selectAll()
        .where('user_id', '=', userId)
        .$if(tokenId !== null, (select) => select.where('token_id', '=', tokenId ?? 0))
        .where('platform', '=', platform)
        .where('deleted_at', 'is', null)
        .$if(before !== null, (select) => select.where('submitted_at', '<', before ?? 0))
        .orderBy('submitted_at', 'desc')
        .limit(limit + 1)
        .execute(),
    ),
  )
  const all = parts.flat().toSorted((one, other) => other.submitted_at - one.submitted_at || other.id - one.id)
  return { rows: all.slice(0, limit), hasMore: all.length > limit }
}
