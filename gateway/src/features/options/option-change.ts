import { isOptionKey, optionOf, type OptionKey } from '@tollgate/contract'
import type { z } from 'zod'

import { AppError } from '../../app-error'
import { linearPattern } from '../../linear-pattern'

/** An accepted change: the canonical text to store. */
export interface OptionChange {
  readonly key: OptionKey
  readonly text: string
}

/**
 * Check one change on its own.
 * @throws AppError `option.unknown`, `option.invalid`.
 */
export function checkedChange(key: string, text: string): OptionChange {
  if (!isOptionKey(key)) throw new AppError('option.unknown', { params: { key } })
  // PostgreSQL stores no such character.
  if (text.includes('\0')) throw invalid(key, 'U+0000')
  const option = optionOf(key)
  const parsed = option.schema.safeParse(text)
  if (!parsed.success) throw invalid(key, reasonOf(parsed.error))
  if (key === 'SensitiveWords') refuseBadPatterns(key, option.text(parsed.data))
  return { key, text: option.text(parsed.data) }
}

const invalid = (key: string, reason: string) => new AppError('option.invalid', { params: { key, detail: reason } })

function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return ''
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}

const patternMark = 'regex:'

/** Patterns run on every prompt, so only those that match in linear time are taken. */
function refuseBadPatterns(key: string, text: string) {
  for (const line of text.split('\n')) {
    if (!line.startsWith(patternMark)) continue
    const pattern = line.slice(patternMark.length).trim()
    if (pattern === '' || !isLinearPattern(pattern)) throw invalid(key, line)
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
