import type { TableEntries } from '@tollgate/contract'
import * as z from 'zod'

/** A line of a table: its name and its value, as they are typed. */
export interface TableRow {
  readonly name: string
  readonly value: string
}

/** Returns the lines of a JSON table, or undefined where the text is none. */
export function rowsOf(text: string, entries: TableEntries = 'text'): readonly TableRow[] | undefined {
  try {
    const table: unknown = JSON.parse(text.trim() === '' ? (entries === 'link' ? '[]' : '{}') : text)
    if (entries === 'link') return linkRowsOf(table)
    if (typeof table !== 'object' || table === null || Array.isArray(table)) return undefined
    const rows = Object.entries(table).map(([name, value]) => ({ name, value: value as unknown }))
    const isFlat = rows.every(({ value }) => typeof value === 'string' || typeof value === 'number')
    return isFlat ? rows.map(({ name, value }) => ({ name, value: String(value) })) : undefined
  } catch {
    return undefined
  }
}

/** Of a list whose entries have one name each. */
function linkRowsOf(list: unknown): readonly TableRow[] | undefined {
  const entries = z
    .array(z.record(z.string(), z.string()))
    .safeParse(list)
    .data?.map((entry) => Object.entries(entry))
  if (!entries?.every(({ length }) => length === 1)) return undefined
  return entries.flat().map(([name, value]) => ({ name, value }))
}

/** Names that stand on more than one line, where only the last would count. */
export function repeatedNames(rows: readonly TableRow[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(rows.filter(({ name }) => seen.size === seen.add(name).size).map(({ name }) => name))
}

/**
 * Returns the JSON text of the lines; empty ones are left out. A value that should be a number and is none stays a text, and
 * repeated names make a list of pairs, so that the option's check refuses both.
 */
export function tableText(rows: readonly TableRow[], entries: TableEntries): string {
  const filled = rows.filter(({ name, value }) => name !== '' || value !== '')
  const isNumber = (value: string) => value.trim() !== '' && Number.isFinite(Number(value))
  const pairs = filled.map(({ name, value }) => [name, entries === 'number' && isNumber(value) ? Number(value) : value])
  if (entries === 'link') return JSON.stringify(pairs.map((pair) => Object.fromEntries([pair])))
  return JSON.stringify(repeatedNames(filled).size > 0 ? pairs : Object.fromEntries(pairs))
}
