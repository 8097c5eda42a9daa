import { hidden, isSecretName } from './redact'

/** A line is read by people; more of a text, a list or a nested value is not informative. */
const maxTextLength = 4000
const maxListLength = 50
const deepest = 6

/** Returns the fields of a line in the form that is written: errors complete, secrets masked by their names, everything bounded. */
export const shownFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toLogValue(name, value, 0)]))

function toLogValue(name: string, value: unknown, depth: number): unknown {
  const isEmpty = value === '' || value === undefined || value === null
  if (isSecretName(name) && !isEmpty && typeof value !== 'number' && typeof value !== 'boolean') return hidden
  if (typeof value === 'string') return cut(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '…'
  if (value instanceof Error) return shownError(value, depth)
  if (value instanceof Headers) return toLogValue(name, Object.fromEntries(value), depth)
  if (Array.isArray(value)) return value.slice(0, maxListLength).map((item) => toLogValue('', item, depth + 1))
  const members = Object.entries(value).slice(0, maxListLength)
  return Object.fromEntries(members.map(([member, inner]) => [member, toLogValue(member, inner, depth + 1)]))
}

/** Only known properties of an error: others attach requests and connections with their passwords to it. */
function shownError(error: Error, depth: number): object {
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    type: name,
    message: cut(message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(stack !== undefined && { stack: cut(stack) }),
    ...(cause !== undefined && cause !== null && { cause: toLogValue('', cause, depth + 1) }),
  }
}

const cut = (text: string) => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text)
