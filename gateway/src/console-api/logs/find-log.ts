import { logType, withLogDetails } from '@tollgate/contract'

import { readableOwners, type ContentReader } from '../../accounts/users/readable-owners'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { findTexts } from '../../platform/telemetry/log-texts/find-texts'
import type { LogRow } from '../../platform/store/tables'

/** Conversations are sealed. */
type Opened = Pick<Context, 'database' | 'seal'>

/** The owner of the row, or a reader of any row. */
type Reach = { readonly ownerId: number } | { readonly reader: ContentReader }

/**
 * Resolves with one row with the conversation of its call. A reader of all users' rows needs a grant to read conversations, and gets those
 * of lower ranks and their own.
 * @throws AppError `log.none`, also for a row of another user where an owner is given.
 */
export async function findLog({ database: { query }, seal }: Opened, id: number, reach: Reach): Promise<LogRow> {
  const row = await query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || ('ownerId' in reach && row.user_id !== reach.ownerId)) throw new AppError('log.none')
  if (row.type !== logType.consumption) return row
  if ('reader' in reach && !(await readableOwners(query, [row.user_id], reach.reader)).has(row.user_id))
    return withoutTexts(row)
  const texts = await findTexts(query, row.request_id, seal)
  return texts ? { ...row, other: withLogDetails(row.other, texts) } : row
}

const noTexts = { context: undefined, input_content: undefined, output_content: undefined }

/** Returns whether a row contains the conversation of its call. */
export const hasTexts = (row: LogRow): boolean => /"(?:context|input_content|output_content)"/.test(row.other)

/** Returns a row without its conversation, which rows of earlier releases keep in `other`. */
export const withoutTexts = (row: LogRow): LogRow =>
  hasTexts(row) ? { ...row, other: withLogDetails(row.other, noTexts) } : row
