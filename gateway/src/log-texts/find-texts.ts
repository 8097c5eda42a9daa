import type { Queries } from '../store/database'
import type { Pace } from '../store/pace'
import type { Seal } from '../store/seal'
import { openText } from './stored-texts'

/** Resolves with the texts of a call, with the keys a log row shows them under; null when none are stored. */
export async function findTexts(query: Queries, requestId: string, seal: Pick<Seal, 'open'>) {
  const row = await query
    .selectFrom('log_texts')
    .select(['context', 'input', 'output'])
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  if (!row) return null
  return {
    context: openText(row.context, 'context', requestId, seal),
    input_content: openText(row.input, 'input', requestId, seal),
    output_content: openText(row.output, 'output', requestId, seal),
  }
}

/** Each row may be large. */
const mostAtOnce = 200

/** Deletes the texts of calls before a moment, in seconds. */
export async function deleteTexts(query: Queries, before: number, pace: Pace): Promise<void> {
  for (;;) {
    const limit = Math.min(pace.rows, mostAtOnce)
    if ((await pace.part(() => deleteOldest(query, before, limit))) < limit) return
  }
}

async function deleteOldest(query: Queries, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await query
    .deleteFrom('log_texts')
    .where('request_id', 'in', (eb) =>
      eb
        .selectFrom('log_texts')
        .select('request_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
