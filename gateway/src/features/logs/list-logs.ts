import type { Page } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import { logConditions, type LogFilter } from './log-filter'

/** Up to here the total is exact; beyond, it says only that there is more than what was shown. */
export const largestExactTotal = 10_000

/**
 * A page of log rows, newest first, with a total that never counts millions.
 * The order is that of the indexes on time, so a page is read without sorting; rows of one second stand by id.
 */
export async function listLogs(query: Queries, filter: LogFilter, page: Page) {
  const found = query.selectFrom('logs').where((eb) => eb.and(logConditions(eb, filter)))
  const rows = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.size + 1)
    .offset(page.offset)
    .execute()
  const items = rows.slice(0, page.size)
  const seen = page.offset + rows.length
  // The end is on this page: the total is known without counting.
  if (rows.length > 0 && rows.length <= page.size) return { items, total: seen }
  const counted = await countUpTo(largestExactTotal, query, filter)
  return { items, total: rows.length > 0 ? Math.max(counted, seen) : counted }
}

async function countUpTo(limit: number, query: Queries, filter: LogFilter): Promise<number> {
  const { total } = await query
    .selectFrom((eb) =>
      eb
        .selectFrom('logs')
        .select('id')
        .where((inner) => inner.and(logConditions(inner, filter)))
        .limit(limit)
        .as('first'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
