import type { Phrase, PhraseCode } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'

const maxDepth = 64
const maxPlaceLength = 50

/**
 * Refuses what no field may hold: strings with the character NUL, which one of our databases cannot store, and nesting so deep that
 * walking it would exhaust the stack.
 * @throws AppError `input.invalid` naming the field.
 */
export function checkTexts(root: unknown): void {
  const fault = faultIn(root, 0)
  if (!fault) return
  const place = fault.names.join('.').slice(0, maxPlaceLength) || 'body'
  const detail: Phrase = { code: 'reason.at', params: { place, reason: { code: fault.reason } } }
  throw new AppError('input.invalid', { params: { detail } })
}

interface Fault {
  /** The path to the fault, filled on the way back: nothing is recorded for valid parts. */
  readonly names: string[]
  readonly reason: PhraseCode
}

function faultIn(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return value.includes('\0') ? { names: [], reason: 'reason.null_character' } : null
  if (typeof value !== 'object' || value === null) return null
  if (depth === maxDepth) return { names: [], reason: 'reason.too_deep' }
  for (const name in value) {
    if (name.includes('\0')) return { names: [], reason: 'reason.null_character' }
    const fault = faultIn(Reflect.get(value, name), depth + 1)
    if (!fault) continue
    fault.names.unshift(name)
    return fault
  }
  return null
}
