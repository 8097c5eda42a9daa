import { logType } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { findTexts } from '../../log-texts/find-texts'
import type { Queries } from '../../store/database'
import type { LogRow } from '../../store/tables'

/**
 * One row with what was said in its call, of that user if one is given.
 * @throws AppError `log.none`, also for a row of somebody else.
 */
export async function findLog(query: Queries, id: number, userId?: number): Promise<LogRow> {
  const row = await query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || (userId !== undefined && row.user_id !== userId)) throw new AppError('log.none')
  if (row.type !== logType.consumption) return row
  const texts = await findTexts(query, row.request_id)
  return texts ? { ...row, other: withTexts(row.other, texts) } : row
}

function withTexts(other: string, texts: object): string {
  const details: unknown = JSON.parse(other || '{}')
  return JSON.stringify(Object.assign({}, details, texts))
}
