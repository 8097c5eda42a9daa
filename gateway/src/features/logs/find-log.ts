import { isWithinReach, logType, withLogDetails } from '@tollgate/contract'

import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import { findTexts } from '../../log-texts/find-texts'
import type { Queries } from '../../store/database'
import type { LogRow } from '../../store/tables'

/** What was said is sealed. */
type Opened = Pick<Context, 'database' | 'seal'>

type Reader = Pick<Caller, 'userId' | 'rank' | 'grants'>

/** Whose row is wanted, or who wants any row. */
type Reach = { readonly ownerId: number } | { readonly reader: Reader }

/**
 * One row with what was said in its call. Who reads the rows of all users reads what was said only with a grant for that, in the calls of
 * lower ranks, and in their own.
 * @throws AppError `log.none`, also for a row of somebody else where an owner is given.
 */
export async function findLog({ database: { query }, seal }: Opened, id: number, reach: Reach): Promise<LogRow> {
  const row = await query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || ('ownerId' in reach && row.user_id !== reach.ownerId)) throw new AppError('log.none')
  if (row.type !== logType.consumption) return row
  if ('reader' in reach && !(await mayReadTexts(query, row.user_id, reach.reader))) return withoutTexts(row)
  const texts = await findTexts(query, row.request_id, seal)
  return texts ? { ...row, other: withLogDetails(row.other, texts) } : row
}

async function mayReadTexts(query: Queries, userId: number, reader: Reader): Promise<boolean> {
  if (userId === reader.userId) return true
  if (!reader.grants.has('chat_content.read')) return false
  const user = await query.selectFrom('users').select(['role', 'grants']).where('id', '=', userId).executeTakeFirst()
  return isWithinReach(reader.rank, user ? standingOf(user).rank : 0)
}

const noTexts = { context: undefined, input_content: undefined, output_content: undefined }

/** Whether a row holds what was said in its call. */
export const hasTexts = (row: LogRow): boolean => /"(?:context|input_content|output_content)"/.test(row.other)

/** A row without what was said, which rows of earlier releases keep in `other`. */
export const withoutTexts = (row: LogRow): LogRow =>
  hasTexts(row) ? { ...row, other: withLogDetails(row.other, noTexts) } : row
