import { logType } from '@tollgate/contract'

import { isWithinReach } from '../../accounts/reach'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import { findTexts } from '../../log-texts/find-texts'
import type { Queries } from '../../store/database'
import type { LogRow } from '../../store/tables'

/** What was said is sealed. */
type Opened = Pick<Context, 'database' | 'seal'>

/** Whose row is wanted, or who wants any row. */
type Reach = { readonly ownerId: number } | { readonly reader: Pick<Caller, 'userId' | 'role'> }

/**
 * One row with what was said in its call. An administrator reads the rows of all users, but what was said only in the calls of
 * lower roles and in their own.
 * @throws AppError `log.none`, also for a row of somebody else where an owner is given.
 */
export async function findLog({ database: { query }, seal }: Opened, id: number, reach: Reach): Promise<LogRow> {
  const row = await query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || ('ownerId' in reach && row.user_id !== reach.ownerId)) throw new AppError('log.none')
  if (row.type !== logType.consumption) return row
  if ('reader' in reach && !(await mayReadTexts(query, row.user_id, reach.reader))) return withoutTexts(row)
  const texts = await findTexts(query, row.request_id, seal)
  return texts ? { ...row, other: withMembers(row.other, texts) } : row
}

async function mayReadTexts(query: Queries, userId: number, reader: Pick<Caller, 'userId' | 'role'>): Promise<boolean> {
  if (userId === reader.userId) return true
  const user = await query.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return isWithinReach(reader.role, user?.role ?? 0)
}

function withMembers(other: string, members: object): string {
  const details: unknown = JSON.parse(other || '{}')
  return JSON.stringify(Object.assign({}, details, members))
}

const noTexts = { context: undefined, input_content: undefined, output_content: undefined }

/** Whether a row holds what was said in its call. */
export const hasTexts = (row: LogRow): boolean => /"(?:context|input_content|output_content)"/.test(row.other)

/** A row without what was said, which rows of earlier releases keep in `other`. */
export const withoutTexts = (row: LogRow): LogRow =>
  hasTexts(row) ? { ...row, other: withMembers(row.other, noTexts) } : row
