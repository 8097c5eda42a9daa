import { z } from 'zod'

import { parsedJson } from '../../../platform/text/parsed-json'
import { maxFigure } from '../site-source'

/*
 * Values of columns as three kinds of databases and their drivers have them: whole numbers as numbers, bigints or texts, flags as 0 and 1
 * or true and false, JSON parsed or as a text, nothing as null, and columns that the source's release lacks not at all.
 */

/** Returns a whole number within `maxFigure`; 0 for null, and for what is not a number. */
function wholeNumber(value: unknown): number {
  const number = Math.trunc(Number(value ?? 0))
  return Number.isFinite(number) ? Math.min(Math.max(number, -maxFigure), maxFigure) : 0
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (typeof value === 'bigint') return String(value)
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  // PostgreSQL cannot store this character.
  return shown.replaceAll('\0', '\uFFFD')
}

/** Seconds: of a number of seconds, of a date, or of a text such as `2026-11-30 08:00:00.5+08:00`. Null for nothing. */
function secondsOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  if (typeof value !== 'string' || /^\d+$/.test(value)) return wholeNumber(value) || null
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d+)?))? ?(Z|[+-]\d\d:?\d\d)?/.exec(value) ?? []
  const ms = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

/** A column that the source's release may lack. */
export const value = z.unknown().default(null)
export const int = value.transform(wholeNumber)
export const flag = value.transform((stored) => stored === true || stored === 'true' || wholeNumber(stored) === 1)
export const text = value.transform(textOf)
/** A text without blanks around it: of a fixed length in the source, or typed by someone. */
export const trimmed = value.transform((stored) => textOf(stored).trim())
export const seconds = value.transform(secondsOf)
export const decimal = value.transform((stored) => {
  const number = Number(stored ?? 0)
  return Number.isFinite(number) ? number : 0
})
/** An object from a column of JSON; an empty one for null and for other JSON. */
export const object = value.transform((stored): Readonly<Record<string, unknown>> => {
  const parsed: unknown = typeof stored === 'string' ? parsedJson(stored) : stored
  return Record.safeParse(parsed).data ?? {}
})
const Record = z.record(z.string(), z.unknown())
