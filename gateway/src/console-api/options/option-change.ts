import { isOptionKey, optionOf, type OptionKey, type Phrase } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { checkedValue } from '../../http/request/checked-value'
import { readHead } from '../../http/console-files/head-code'
import { linearPattern } from '../../platform/text/linear-pattern'

/** An accepted change: the canonical text to store. */
export interface OptionChange {
  readonly key: OptionKey
  readonly text: string
}

/** Checks one change on its own. @throws AppError `option.unknown`, `option.invalid`. */
export function checkedChange(key: string, text: string): OptionChange {
  if (!isOptionKey(key)) throw new AppError('option.unknown', { params: { key } })
  // PostgreSQL cannot store this character.
  if (text.includes('\0')) throw invalid(key, { code: 'reason.null_character' })
  const option = optionOf(key)
  const checked = checkedValue(option.schema(), text)
  if ('fault' in checked) throw invalid(key, checked.fault)
  const canonical = option.text(checked.value)
  if (key === 'SensitiveWords') refuseBadPatterns(key, canonical)
  const fault = key === 'custom_head_html' ? readHead(canonical).fault : null
  if (fault) throw invalid(key, fault)
  return { key, text: canonical }
}

const invalid = (key: string, detail: Phrase) =>
  new AppError('option.invalid', { params: { key, detail }, envelopeFields: { field: key } })

const patternMark = 'regex:'

/** Patterns run on every prompt, so only those that match in linear time are accepted. */
function refuseBadPatterns(key: string, text: string) {
  for (const line of text.split('\n')) {
    if (!line.startsWith(patternMark)) continue
    const pattern = line.slice(patternMark.length).trim()
    if (pattern === '' || !isLinearPattern(pattern))
      throw invalid(key, { code: 'reason.pattern', params: { pattern: line } })
  }
}

function isLinearPattern(pattern: string): boolean {
  try {
    linearPattern(pattern)
    return true
  } catch {
    return false
  }
}
