import * as z from 'zod'

import { accountOptions } from './options/accounts'
import { eventOptions } from './options/events'
import { modelNameOptions } from './options/model-names'
import { moneyOptions } from './options/money'
import { operationOptions } from './options/operation'
import { optionReaders, sectionGrants, type Option, type OptionGrant } from './options/option'
import { siteOptions } from './options/site'
import { holdsAny, type Grant } from './rights/rights'

export type { Table } from './options/json'
export { eventMedia, type EventMedium } from './options/events'
export { maxChainLength, type AliasRule, type AliasTarget, type ModelChain } from './options/model-names'
export * from './options/model-reasons'
export { sectionPrerequisites } from './options/option'
export type { Option, OptionGrant, OptionKind, OptionSection, Prerequisite, TableEntries } from './options/option'
export { maxFileMegabytes, type OfferedObject } from './options/operation'
export type { RoutingRule } from './options/strategies'
export type { StatusRange } from './options/texts'

/** Every setting of the site: the single list that storage, validation, defaults, the public status and the forms follow. */
export const options = {
  ...accountOptions,
  ...siteOptions,
  ...moneyOptions,
  ...operationOptions,
  ...modelNameOptions,
  ...eventOptions,
} satisfies Readonly<Record<string, Option>>

export type OptionKey = keyof typeof options

/** The parsed value of every option. */
export type OptionValues = { readonly [Key in OptionKey]: (typeof options)[Key]['default'] }

export const optionKeys = Object.keys(options) as readonly OptionKey[]

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)

/** The description of an option, without the type of its value. */
export const optionOf = (key: OptionKey): Option => options[key]

/** Returns the grant needed to change an option. */
export const optionGrant = (key: OptionKey): OptionGrant =>
  isSecretOption(key) ? 'settings.secure' : (optionOf(key).grant ?? sectionGrants[optionOf(key).section])

/** Returns whether an option may be changed with these grants. */
export const mayChangeOption = (held: Iterable<Grant>, key: OptionKey): boolean => holdsAny(held, optionGrant(key))

/** Returns whether an option may be read with these grants; of a secret only whether it is set. */
export const mayReadOption = (held: Iterable<Grant>, key: OptionKey): boolean =>
  optionOf(key).isPublic || isOptionReader(held, key)

/** Returns whether these grants allow reading an option that is not public, and its history. */
export const isOptionReader = (held: Iterable<Grant>, key: OptionKey): boolean =>
  holdsAny(held, [optionGrant(key), optionReaders[optionGrant(key)]])

/** Stored sealed, never returned. */
export const isSecretOption = (key: OptionKey): boolean => options[key].kind === 'secret'

/** Returns the canonical text of an option's value: what is stored and what the console reads. */
export const optionText = <Key extends OptionKey>(key: Key, value: OptionValues[Key]): string =>
  optionOf(key).text(value)

/** The values of all options when nothing is stored. */
export const defaultOptions = Object.fromEntries(optionKeys.map((key) => [key, options[key].default])) as OptionValues

/**
 * Returns the values in force for the stored texts (secrets already decrypted). What is not stored has its default. A stored text that is
 * no longer valid falls back to the default and is reported.
 */
export function parseOptions(
  stored: ReadonlyMap<string, string>,
  onInvalid: (key: OptionKey, reason: string) => void = () => {},
): OptionValues {
  const values: Partial<Record<OptionKey, unknown>> = { ...defaultOptions }
  for (const [key, text] of stored) {
    // A value equal to its default, as after a reset, needs no schema.
    if (!isOptionKey(key) || text === optionText(key, defaultOptions[key])) continue
    const parsed = optionOf(key).schema().safeParse(text)
    if (parsed.success) values[key] = parsed.data
    else onInvalid(key, z.prettifyError(parsed.error))
  }
  return values as OptionValues
}
