import { isErrorCode, phraseCodes, type Phrase, type PhraseCode } from '@tollgate/contract'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

export type Checked<Value> = { readonly value: Value } | { readonly fault: Phrase }

/**
 * Parses a value with a schema; returns it, or where and why it is refused. `whole` names the value itself. A check of ours has its
 * reason's code as its message, or that of an error with a sentence of its own; the validator's own checks are distinguished by kind.
 */
export function checkedValue<Value>(schema: z.ZodType<Value>, value: unknown, whole?: string): Checked<Value> {
  // Without the input a missing value cannot be distinguished from one of the wrong type.
  const result = schema.safeParse(value, { reportInput: true })
  return result.success ? { value: result.data } : { fault: faultOf(result.error, whole) }
}

function faultOf(error: z.ZodError, whole: string | undefined): Phrase {
  const fault = maxDepth(error.issues[0])
  if (!fault) return { code: 'reason.invalid' }
  if (isErrorCode(fault.issue.message)) return { code: fault.issue.message }
  const reason = messageOf(fault.issue)
  const place = entryOf(fault) ?? (fieldPathOf(fault) || whole)
  return place === undefined ? reason : { code: 'reason.at', params: { place, reason } }
}

const maxPlaceLength = 100

/** Returns an entry of a list of texts that is refused: its own text names it better than its place does. */
function entryOf({ issue, path }: Fault): string | undefined {
  const isEntry = path.length === 1 && typeof path[0] === 'number' && typeof issue.input === 'string'
  return isEntry && issue.input !== '' ? `“${issue.input.slice(0, maxPlaceLength)}”` : undefined
}

interface Fault {
  readonly issue: Issue
  readonly path: readonly PropertyKey[]
}

function fieldPathOf({ issue, path }: Fault): string {
  const parts = issue.code === 'unrecognized_keys' ? [...path, issue.keys[0] ?? ''] : path
  return parts.map(String).join('.').slice(0, maxPlaceLength)
}

/** A fault of a table's key or of one form of a union is reported by the issue within it. */
function maxDepth(issue: Issue | undefined, above: readonly PropertyKey[] = []): Fault | undefined {
  if (!issue) return undefined
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return maxDepth(issue.issues[0], path) ?? { issue, path }
  }
  return { issue, path }
}

const codes: ReadonlySet<string> = new Set(phraseCodes)
const isPhraseCode = (text: string): text is PhraseCode => codes.has(text)

function messageOf(issue: Issue): Phrase {
  if (isPhraseCode(issue.message)) return { code: issue.message }
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? { code: 'reason.required' } : ofType(issue.expected)
    case 'unrecognized_keys':
      return { code: 'reason.unknown_field' }
    case 'too_small':
      return { code: tooSmall(issue.origin, issue.inclusive ?? true), params: { limit: String(issue.minimum) } }
    case 'too_big':
      return { code: tooLarge(issue.origin), params: { limit: String(issue.maximum) } }
    case 'invalid_value':
      return { code: 'reason.one_of', params: { choices: issue.values.map(String).join(', ') } }
    case 'invalid_format':
      return { code: 'reason.format' }
    default:
      return { code: 'reason.invalid' }
  }
}

const types: Readonly<Record<string, PhraseCode>> = {
  string: 'type.text',
  number: 'type.number',
  int: 'type.whole_number',
  boolean: 'type.flag',
  array: 'type.list',
  tuple: 'type.list',
  object: 'type.object',
  record: 'type.object',
}

function ofType(expected: string): Phrase {
  const type = types[expected]
  return type ? { code: 'reason.type', params: { expected: { code: type } } } : { code: 'reason.invalid' }
}

const isListed = (origin: string) => origin === 'array' || origin === 'set' || origin === 'map'

function tooSmall(origin: string, isInclusive: boolean): PhraseCode {
  if (origin === 'string') return 'reason.too_short'
  if (isListed(origin)) return 'reason.too_few'
  return isInclusive ? 'reason.too_small' : 'reason.not_above'
}

function tooLarge(origin: string): PhraseCode {
  if (origin === 'string') return 'reason.too_long'
  return isListed(origin) ? 'reason.too_many' : 'reason.too_large'
}
