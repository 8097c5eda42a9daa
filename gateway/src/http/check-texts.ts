import { AppError } from '../app-error'

const deepest = 64

interface Visit {
  readonly value: unknown
  readonly place: string
  readonly depth: number
}

/**
 * Refuse what no field may hold: texts with the character NUL, which one of our databases cannot keep,
 * and nesting so deep that walking it would exhaust the stack.
 * @throws AppError `input.invalid` naming the place.
 */
export function checkTexts(root: unknown): void {
  const pending: Visit[] = [{ value: root, place: '', depth: 0 }]
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { value, place, depth } = visit
    if (typeof value === 'string' && value.includes('\0')) throw invalid(place || 'NUL')
    if (typeof value !== 'object' || value === null) continue
    if (depth === deepest) throw invalid(`${place.slice(0, 50)}…`)
    for (const [name, part] of Object.entries(value)) {
      if (name.includes('\0')) throw invalid(place || 'NUL')
      pending.push({ value: part, place: place ? `${place}.${name}` : name, depth: depth + 1 })
    }
  }
}

const invalid = (detail: string) => new AppError('input.invalid', { params: { detail } })
