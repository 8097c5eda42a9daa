import { optionOf, parseObject, type OptionKey, type TableEntries } from '@tollgate/contract'

import { isUnusual } from '../../lib/text/unusual'

interface UnusualValue {
  /** The line of a table; empty for an option that is one number. */
  readonly entry: string
  readonly value: number
}

/** In quota: a dollar by default. */
const usualQuota = 500_000

/** Numbers of tables where none stands before: ratios are near 1, limits and amounts near what they are at first. */
const usualEntries: Partial<Readonly<Record<TableEntries, number>>> = {
  number: 1,
  matrix: 1,
  limits: 1000,
  amounts: 500,
}

/** A port is not an amount, and a change of the unit is asked about in any case. */
const others: readonly OptionKey[] = ['SMTPPort', 'QuotaPerUnit']

/** Returns a number far above what is usual for an option: its default, and the number it had. */
export function unusualValue(key: OptionKey, before: string | undefined, after: string): UnusualValue | undefined {
  if (others.includes(key)) return undefined
  const had = numbersOf(key, before ?? '')
  for (const [entry, value] of numbersOf(key, after)) {
    const usual = Math.max(usualOf(key), ...had.flatMap(([place, number]) => (place === entry ? [number] : [])))
    if (usual > 0 && isUnusual(value, usual)) return { entry, value }
  }
  return undefined
}

/** 0: none, as where 0 means without limit. */
function usualOf(key: OptionKey): number {
  const { entries, unit, default: initial } = optionOf(key)
  if (entries) return usualEntries[entries] ?? 0
  const first = typeof initial === 'number' ? initial : 0
  return unit === 'quota' ? Math.max(first, usualQuota) : first
}

/** Returns the numbers in the text of an option with their places. */
function numbersOf(key: OptionKey, text: string): readonly (readonly [string, number])[] {
  const { kind, entries } = optionOf(key)
  if (kind === 'integer' || kind === 'number') return [['', Number(text)]]
  if (!entries || usualEntries[entries] === undefined) return []
  return numbersIn(parseObject(`{"":${text || '{}'}}`)?.[''])
}

function numbersIn(value: unknown, path: readonly string[] = []): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path.join(' → '), value]]
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([name, inner]) =>
    // The numbers of a list are told apart by their place alone, which names nothing.
    numbersIn(inner, isList ? path : [...path, name]),
  )
}
