import { AppError } from '../app-error'

const deepest = 64

/**
 * Refuse what no field may hold: texts with the character NUL, which one of our databases cannot keep,
 * and nesting so deep that walking it would exhaust the stack.
 * @throws AppError `input.invalid` naming the place.
 */
export function checkTexts(root: unknown): void {
  const fault = faultIn(root, 0)
  if (fault) throw new AppError('input.invalid', { params: { detail: fault.names.join('.').slice(0, 50) + fault.end } })
}

interface Fault {
  /** The way to it, filled on the way back: nothing is written down about what is well. */
  readonly names: string[]
  readonly end: string
}

function faultIn(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return value.includes('\0') ? { names: [], end: depth === 0 ? 'NUL' : '' } : null
  if (typeof value !== 'object' || value === null) return null
  if (depth === deepest) return { names: [], end: '…' }
  for (const name in value) {
    if (name.includes('\0')) return { names: [], end: depth === 0 ? 'NUL' : '' }
    const fault = faultIn(Reflect.get(value, name), depth + 1)
    if (!fault) continue
    fault.names.unshift(name)
    return fault
  }
  return null
}
