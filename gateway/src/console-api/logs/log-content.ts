import { logType } from '@tollgate/contract'

import type { Language } from '../../http/language'
import { shownText } from '../../platform/locales/sentence'
import type { LogRow } from '../../platform/store/tables'
import { priceText } from './price-text'

/**
 * Returns the text of a row in the reader's language. The price of a call is only in its details; rows of earlier releases have a
 * sentence, which is shown unchanged.
 */
export function logContent(
  row: Pick<LogRow, 'type' | 'content' | 'other' | 'prompt_tokens' | 'completion_tokens'>,
  language: Language,
): string {
  if (row.content !== '' || row.type !== logType.consumption) return shownText(row.content, language)
  return priceText(row, language)
}
