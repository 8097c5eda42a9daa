import * as z from 'zod'

import { refusal } from '../phrases'
import type { Grant } from '../rights'

export type OptionKind = 'boolean' | 'integer' | 'number' | 'text' | 'choice' | 'list' | 'lines' | 'json' | 'secret'

/** The form of the settings page an option stands in. */
export type OptionSection =
  | 'login'
  | 'external-login'
  | 'security'
  | 'mail'
  | 'site'
  | 'appearance'
  | 'quota'
  | 'invitation'
  | 'check-in'
  | 'payment'
  | 'groups'
  | 'prices'
  | 'relay'
  | 'rate-limit'
  | 'sensitive-words'
  | 'logs'
  | 'dashboard'
  | 'drawing'
  | 'monitoring'

/** A grant that options are changed with, and the one that is enough to read them where they are not public. */
export const optionReaders = {
  'settings.write': 'settings.read',
  'settings.secure': 'settings.secure',
  'prices.write': 'prices.read',
  'balances.write': 'settings.read',
} as const satisfies Partial<Record<Grant, Grant>>

export type OptionGrant = keyof typeof optionReaders

/**
 * What the options of a section are changed with. What holds secrets, runs code, is about payment, or decides who signs in as whom
 * is the super admin's: through mail, the server's address or another sign-in a letter meant for the super admin could be read.
 */
export const sectionGrants: Readonly<Record<OptionSection, OptionGrant>> = {
  login: 'settings.write',
  'external-login': 'settings.secure',
  security: 'settings.secure',
  mail: 'settings.secure',
  site: 'settings.secure',
  appearance: 'settings.write',
  quota: 'balances.write',
  invitation: 'balances.write',
  'check-in': 'balances.write',
  payment: 'settings.secure',
  groups: 'prices.write',
  prices: 'prices.write',
  relay: 'settings.write',
  'rate-limit': 'settings.write',
  'sensitive-words': 'settings.write',
  logs: 'settings.write',
  dashboard: 'settings.write',
  drawing: 'settings.write',
  monitoring: 'settings.write',
}

/** What a number counts. `quota` is money in the gateway's own units, of which `QuotaPerUnit` make a dollar. */
type OptionUnit = 'quota' | 'usd' | 'seconds' | 'minutes' | 'tokens' | 'calls'

/** What a text holds, where it is more than words. */
type OptionFormat = 'html' | 'css' | 'javascript' | 'color'

interface Sentence {
  readonly en: string
  readonly zh: string
}

/** What must be filled in before a switch may be on. `feature` and `needed` complete the sentence of the refusal. */
export interface Prerequisite {
  readonly needs: readonly string[]
  readonly feature: Sentence
  readonly needed: Sentence
}

/** One setting of the site. It is stored as text and parsed once, when the catalog is built. */
export interface Option<Value = unknown> {
  readonly kind: OptionKind
  readonly section: OptionSection
  readonly default: Value
  /** Anyone may learn the value, as the public status shows it. */
  readonly isPublic: boolean
  /** What the value is changed with. Default: that of the section; of a secret always `settings.secure`. */
  readonly grant?: OptionGrant
  /** From the stored text to the value; refuses what is out of bounds. */
  readonly schema: z.ZodType<Value, string>
  /** The canonical text of a value: what is stored. */
  text(value: Value): string
  readonly prerequisite?: Prerequisite
  readonly choices?: readonly string[]
  readonly unit?: OptionUnit
  readonly format?: OptionFormat
  /** JSON that is a flat table: what stands beside each name. */
  readonly entries?: 'number' | 'text'
}

interface Extra {
  readonly isPublic?: boolean
  readonly grant?: OptionGrant
  readonly prerequisite?: Prerequisite
  readonly unit?: OptionUnit
}

const shared = (section: OptionSection, extra: Extra) => ({
  section,
  isPublic: extra.isPublic ?? false,
  ...(extra.grant && { grant: extra.grant }),
  ...(extra.prerequisite && { prerequisite: extra.prerequisite }),
  ...(extra.unit && { unit: extra.unit }),
})

// What many options share is made once: each step of a schema is an object of its own, and they would take megabytes.

const switchText = z
  .string()
  .trim()
  .pipe(z.enum(['true', 'false']))
  .transform((text) => text === 'true')

/** A switch: `true` or `false`. */
export const flag = (section: OptionSection, initial: boolean, extra: Extra = {}): Option<boolean> => ({
  ...shared(section, extra),
  kind: 'boolean',
  default: initial,
  schema: switchText,
  text: String,
})

interface Bounds extends Extra {
  readonly min?: number
  readonly max?: number
  readonly above?: number
}

/** Larger than any sum of money the gateway moves, and exact as a JSON number. */
const largestWhole = 1e15

const wholeText = z
  .string()
  .trim()
  .regex(/^-?\d{1,16}$/, refusal('reason.whole_number'))
  .transform(Number)
const wholeNumber = z.number().int()

/** A whole number, at least 0 unless `min` says otherwise. */
export const whole = (section: OptionSection, initial: number, bounds: Bounds = {}): Option<number> => ({
  ...shared(section, bounds),
  kind: 'integer',
  default: initial,
  schema: wholeText.pipe(wholeNumber.min(bounds.min ?? 0).max(bounds.max ?? largestWhole)),
  text: String,
})

const decimalText = z
  .string()
  .trim()
  .regex(/^-?\d{1,16}(\.\d{1,16})?$/, refusal('reason.decimal_number'))
  .transform(Number)
const number = z.number()

/** A decimal number, at least 0 unless the bounds say otherwise. */
export const decimal = (section: OptionSection, initial: number, bounds: Bounds = {}): Option<number> => ({
  ...shared(section, bounds),
  kind: 'number',
  default: initial,
  schema: decimalText.pipe(
    number
      .min(bounds.min ?? 0)
      .max(bounds.max ?? largestWhole)
      .gt(bounds.above ?? -1),
  ),
  text: String,
})

/** Room for a page of HTML, yet bounded. */
const someText = z.string().max(200_000)

/** Free text, kept as it is. */
export const text = (
  section: OptionSection,
  initial: string,
  extra: Extra & { max?: number; format?: OptionFormat } = {},
): Option<string> => ({
  ...shared(section, extra),
  kind: 'text',
  ...(extra.format && { format: extra.format }),
  default: initial,
  schema: extra.max === undefined ? someText : z.string().max(extra.max),
  text: (value) => value,
})

/** A value that never leaves the server; stored sealed. */
export const secret = (section: OptionSection): Option<string> => ({
  section,
  kind: 'secret',
  default: '',
  isPublic: false,
  schema: z.string().trim().max(4096),
  text: (value) => value,
})

/** One of a few words. */
export const choice = <const Value extends string>(
  section: OptionSection,
  choices: readonly [Value, ...Value[]],
  extra: Extra = {},
): Option<Value> => ({
  ...shared(section, extra),
  kind: 'choice',
  default: choices[0],
  choices,
  schema: z.string().trim().pipe(z.enum(choices)),
  text: (value) => value,
})
