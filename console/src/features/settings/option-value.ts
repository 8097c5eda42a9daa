import { isSecretOption, optionOf, type OptionKey, type optionRoutes, type TableEntries } from '@tollgate/contract'
import type { z } from 'zod'

export type OptionRow = z.output<typeof optionRoutes.OptionRow>

/** Unsaved values: option -> text. */
export type Drafts = ReadonlyMap<OptionKey, string>

const reasons = [
  'whole_number',
  'decimal_number',
  'web_address',
  'https_address',
  'mail_address',
  'domain',
  'time_zone',
  'picture_address',
  'json',
  'repeated',
  'statuses',
  'backwards',
  'name',
  'no_groups',
  'one_chat_entry',
  'script_link',
  'one_bonus',
  'ascending',
  'mix_weights',
] as const

/** Why a value is invalid. `place` is the invalid entry, where there are several. */
export interface Fault {
  readonly reason: (typeof reasons)[number] | 'too_small' | 'not_above' | 'too_large' | 'too_long' | 'invalid'
  readonly limit?: number
  readonly place?: string
}

/** Start of a table's text with duplicate names: a list of lines. */
const repeatedStart = '[["'

/** Returns why a text is invalid for an option, or undefined when it is valid. */
export function faultOf(key: OptionKey, text: string): Fault | undefined {
  const option = optionOf(key)
  const issue = option.schema().safeParse(text).error?.issues[0]
  if (!issue) return undefined
  if (option.entries && text.startsWith(repeatedStart)) return { reason: 'repeated' }
  const place =
    option.kind === 'list' ? text.split(',')[Number(issue.path[0])]?.trim() : entryName(issue, option.entries)
  return { ...faultFrom(issue), ...(place && { place }) }
}

/** Returns the names of the invalid line; for a list, its number. Which of its two limits is meant is obvious. */
function entryName({ path }: z.core.$ZodIssue, entries: TableEntries | undefined): string {
  const parts = entries === 'limits' ? path.slice(0, 1) : path
  return parts
    .map((part) => String(typeof part === 'number' ? part + 1 : String(part)))
    .filter((part) => part !== '')
    .join(' → ')
}

function faultFrom(issue: z.core.$ZodIssue): Fault {
  const own = reasons.find((reason) => issue.message === `reason.${reason}`)
  if (own) return { reason: own }
  if (issue.code === 'invalid_type' && issue.expected === 'int') return { reason: 'whole_number' }
  if (issue.code === 'invalid_type' && issue.expected === 'number') return { reason: 'decimal_number' }
  if (issue.code === 'too_small' && issue.origin !== 'string') {
    return { reason: issue.inclusive === false ? 'not_above' : 'too_small', limit: Number(issue.minimum) }
  }
  if (issue.code === 'too_big') {
    return { reason: issue.origin === 'string' ? 'too_long' : 'too_large', limit: Number(issue.maximum) }
  }
  return { reason: 'invalid' }
}

/** Returns the text as it would be stored; an invalid one unchanged. */
export function canonicalText(key: OptionKey, text: string): string {
  const option = optionOf(key)
  const parseJson = option.schema().safeParse(text)
  return parseJson.success ? option.text(parseJson.data) : text
}

export const defaultText = (key: OptionKey): string => optionOf(key).text(optionOf(key).default)

/** Whether saving the text would change anything. An empty draft of a secret removes it. */
export const isChange = (key: OptionKey, text: string, storedValue: OptionRow): boolean =>
  isSecretOption(key) ? text !== '' || storedValue.is_set === true : canonicalText(key, text) !== storedValue.value
