import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { once, type Option, type OptionSection, type TableEntries, type TableNames } from './option'

const maxJsonLength = 2_000_000

/** A JSON document of the given shape. An empty text means the default. */
export const json = <Value>(
  section: OptionSection,
  initial: Value,
  shape: () => z.ZodType<Value>,
  isPublic = false,
): Option<Value> => ({
  section,
  kind: 'json',
  default: initial,
  isPublic,
  schema: once(() =>
    z
      .string()
      .max(maxJsonLength)
      .transform((text, context): unknown => {
        if (text.trim() === '') return initial
        try {
          return JSON.parse(text)
        } catch {
          context.addIssue({ code: 'custom', message: refusal('reason.json') })
          return z.NEVER
        }
      })
      .pipe(shape()),
  ),
  text: (value) => JSON.stringify(value),
})

/** A name -> value table without a prototype: a model named `constructor` is not found by accident. */
export type Table<Value> = Readonly<Record<string, Value>>

const bare = <Value>(entries: Readonly<Record<string, Value>>): Table<Value> =>
  Object.assign(Object.create(null) as Record<string, Value>, entries)

/** Name of a group, a model or a tool. */
const Name = once(() =>
  z
    .string()
    .max(255)
    .regex(/^[^\p{Cc}]+$/u, refusal('reason.name')),
)

export const tableOf = <Value>(value: z.ZodType<Value>): z.ZodType<Table<Value>> =>
  z
    .unknown()
    .refine((entries) => !hasPrototypeKey(entries), refusal('reason.proto'))
    .pipe(z.record(Name(), value))
    .transform((entries) => bare(entries))

const hasPrototypeKey = (entries: unknown) =>
  typeof entries === 'object' && entries !== null && Object.hasOwn(entries, '__proto__')

/** A literal table, made as safe as a parsed one. */
export const table = bare

/** A factor on a price, or a price in US dollars. */
const Ratio = once(() => z.number().min(0).max(1e9))

/** A name -> ratio table. */
export const ratios = once(() => tableOf(Ratio()))

/** JSON that the console edits line by line. */
export const asTable = <Value>(option: Option<Value>, entries: TableEntries, names: TableNames): Option<Value> => ({
  ...option,
  entries,
  names,
})

/** A flat table as an option: name -> number, or name -> text. */
export const numberTable = (
  section: OptionSection,
  names: TableNames,
  initial: Table<number>,
  shape: () => z.ZodType<Table<number>> = ratios,
): Option<Table<number>> => asTable(json(section, initial, shape), 'number', names)

/** Model or tool -> US dollars. */
export const priceTable = (
  section: OptionSection,
  names: TableNames,
  initial: Table<number>,
): Option<Table<number>> => ({ ...numberTable(section, names, initial), unit: 'usd' })

export const textTable = (section: OptionSection, names: TableNames, initial: Table<string>): Option<Table<string>> =>
  asTable(
    json(section, initial, () => tableOf(z.string().max(255))),
    'text',
    names,
  )
