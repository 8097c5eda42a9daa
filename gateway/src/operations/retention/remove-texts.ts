import type { Queries } from '../../platform/store/database'
import { partOf, type Part } from './remove-in-parts'

/** Removes the oldest texts of calls before a moment (seconds). */
export async function removeTexts(query: Queries, before: number, limit: number): Promise<Part> {
  const rows = await query
    .deleteFrom('log_texts')
    .where('request_id', 'in', (eb) =>
      eb
        .selectFrom('log_texts')
        .select('request_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .returning('created_at')
    .execute()
  return partOf(rows.map(({ created_at: at }) => at))
}
