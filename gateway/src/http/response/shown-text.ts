import { parsePhrase } from '@tollgate/contract'

import type { Language } from '../language'
import { sentence } from '../language'

/** Returns a stored text in the reader's language: phrases are worded, texts of earlier releases are shown unchanged. */
export function shownText(stored: string, language: Language): string {
  const phrase = parsePhrase(stored)
  return phrase ? sentence(phrase.code, phrase.params ?? {}, language) : stored
}
