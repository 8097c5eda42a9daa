import type { Queries } from '../../store/database'
import type { Seal } from '../../store/seal'
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
