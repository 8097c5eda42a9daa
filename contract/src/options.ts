import * as z from 'zod'

import { accountOptions } from './options/accounts'
import { moneyOptions } from './options/money'
import { operationOptions } from './options/operation'
import { sectionWriters, type Option, type OptionWriter } from './options/option'
import { siteOptions } from './options/site'

export type { Table } from './options/json'
export type { Option, OptionKind, OptionSection, OptionWriter, Prerequisite } from './options/option'
export type { StatusRange } from './options/texts'

/** Every setting of the site: the one list that storage, validation, defaults, the public status and the forms follow. */
export const options = {
  ...accountOptions,
  ...siteOptions,
  ...moneyOptions,
  ...operationOptions,
} satisfies Readonly<Record<string, Option>>

export type OptionKey = keyof typeof options

/** The parsed value of every option. */
export type OptionValues = { readonly [Key in OptionKey]: (typeof options)[Key]['default'] }

export const optionKeys = Object.keys(options) as readonly OptionKey[]

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)

/** The description of an option, without the type of its value. */
export const optionOf = (key: OptionKey): Option => options[key]

/** The least role that may change an option. */
export const optionWriter = (key: OptionKey): OptionWriter =>
  isSecretOption(key) ? 'root' : (optionOf(key).writer ?? sectionWriters[optionOf(key).section])

/** Stored sealed, never answered. */
export const isSecretOption = (key: OptionKey): boolean => options[key].kind === 'secret'

/** The canonical text of an option's value: what is stored and what the console reads. */
export const optionText = <Key extends OptionKey>(key: Key, value: OptionValues[Key]): string =>
  optionOf(key).text(value)

/** What all options are when nothing is stored. */
export const defaultOptions = Object.fromEntries(optionKeys.map((key) => [key, options[key].default])) as OptionValues

/**
 * The values in force for the stored texts (secrets already opened). What is not stored has its default.
 * A stored text that is not valid any more falls back to the default and is reported.
 */
export function parseOptions(
  stored: ReadonlyMap<string, string>,
  onInvalid: (key: OptionKey, reason: string) => void = () => {},
): OptionValues {
  const values: Partial<Record<OptionKey, unknown>> = { ...defaultOptions }
  for (const [key, text] of stored) {
    if (!isOptionKey(key)) continue
    const parsed = optionOf(key).schema.safeParse(text)
    if (parsed.success) values[key] = parsed.data
    else onInvalid(key, z.prettifyError(parsed.error))
  }
  return values as OptionValues
}
