import { hidden, isSecretName, redact } from '../../platform/telemetry/log/redact'
import { parsedJson } from '../../platform/text/parsed-json'

/** A row says what was done; whole prompts and model lists are elsewhere. */
const maxTextLength = 500
const maxListLength = 50
const deepest = 5

/** Strings with a JSON object in them are shown as that object, so that its secrets are recognized by their names. */
function objectIn(text: string): object | null {
  if (!text.trimStart().startsWith('{')) return null
  const value = parsedJson(text)
  return typeof value === 'object' ? value : null
}

/** Returns a value in the form that the audit log may store: secrets masked by their names and by their form, everything bounded. */
function auditable(value: unknown, name = '', depth = 0): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === '') return value
  if (isSecretName(name)) return hidden
  if (typeof value === 'string') return auditableText(value, depth)
  if (typeof value !== 'object') return typeof value
  if (depth >= deepest) return '…'
  if (Array.isArray(value)) return value.slice(0, maxListLength).map((item) => auditable(item, '', depth + 1))
  const members = Object.entries(value).slice(0, maxListLength)
  return Object.fromEntries(members.map(([member, inner]) => [member, auditable(inner, member, depth + 1)]))
}

function auditableText(text: string, depth: number): unknown {
  const object = objectIn(text)
  if (object) return auditable(object, '', depth)
  const shown = redact(text.replaceAll('\0', ''))
  return shown.length > maxTextLength ? `${shown.slice(0, maxTextLength)}…` : shown
}

export interface Difference {
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

/**
 * Returns the members that differ between two states, in the form that the audit log may store. For objects, or strings with a JSON object
 * in them, recursively.
 */
export function differenceOf(before: object, after: object): Difference {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(after))
  const difference = { before: {} as Record<string, unknown>, after: {} as Record<string, unknown> }
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    const inner = isSecretName(name) ? null : innerDifference(was, is)
    const parts = inner ?? { before: auditable(was, name), after: auditable(is, name) }
    if (parts.before !== undefined) difference.before[name] = parts.before
    if (parts.after !== undefined) difference.after[name] = parts.after
  }
  return difference
}

function innerDifference(was: unknown, is: unknown): { before: unknown; after: unknown } | null {
  const [old, now] = [objectOf(was), objectOf(is)]
  if (!old || !now) return null
  const { before, after } = differenceOf(old, now)
  return { before: auditable(before), after: auditable(after) }
}

const objectOf = (value: unknown): object | null => {
  if (typeof value === 'string') return objectIn(value)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}
