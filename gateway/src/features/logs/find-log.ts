import { AppError } from '../../app-error'
import type { Queries } from '../../store/database'
import type { LogRow } from '../../store/tables'

/**
 * One row, of that user if one is given.
 * @throws AppError `log.none`, also for a row of somebody else.
 */
export async function findLog(query: Queries, id: number, userId?: number): Promise<LogRow> {
  const row = await query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || (userId !== undefined && row.user_id !== userId)) throw new AppError('log.none')
  return row
}
