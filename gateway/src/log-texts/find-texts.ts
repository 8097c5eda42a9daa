import type { Queries } from '../store/database'

/** The texts of a call, with the keys a log row shows them under; null when none are kept. */
export async function findTexts(query: Queries, requestId: string) {
  const row = await query
    .selectFrom('log_texts')
    .select(['context', 'input as input_content', 'output as output_content'])
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row ?? null
}

/** Small enough that others who write never wait long: each row may be large. */
const batchSize = 200

/** Delete the texts of calls before a moment, in seconds. */
export async function deleteTexts(query: Queries, before: number): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await query
      .deleteFrom('log_texts')
      .where('request_id', 'in', (eb) =>
        eb
          .selectFrom('log_texts')
          .select('request_id')
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(batchSize),
      )
      .executeTakeFirst()
    if (Number(numDeletedRows) < batchSize) return
  }
}
