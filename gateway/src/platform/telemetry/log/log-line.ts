import { hidden, isSecretName } from './redact'
import { parsedJson } from '../../text/parsed-json'
/** Formats a JSON line of the log for a person at a terminal: time of day, level, message, fields, and the stack of an error. */
export function prettyLine(line: string): string {
  const fields = parseLine(line)
  if (!fields) return line.endsWith('\n') ? line : `${line}\n`
  const { level, time, msg, worker: _worker, error, ...rest } = fields
  const head = `${timeOfDay(time)} ${textOf(level).padEnd(5)} ${textOf(msg)}`
  const details = Object.entries(rest).map(([name, value]) => `  ${name}=${textOf(value)}`)
  return `${head}${details.join('')}\n${error === undefined ? '' : `${errorText(error)}\n`}`
}

function parseLine(line: string): Record<string, unknown> | null {
  const value = parsedJson(line)
  return typeof value === 'object' && value !== null ? { ...value } : null
}

const timeOfDay = (time: unknown) => (typeof time === 'string' ? time.slice(11, 19) : '')

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function errorText(error: unknown): string {
  const stack = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined
  return `    ${typeof stack === 'string' ? stack : textOf(error)}`
}

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
