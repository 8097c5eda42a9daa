import * as z from 'zod'

import { nameText } from '../pricing/units'
import { refusal } from '../stored/phrases'
import type { Grant } from '../rights/rights'

export type OptionKind =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'text'
  | 'choice'
  | 'choices'
  | 'list'
  | 'lines'
  | 'json'
  | 'secret'

/** The form of the settings page that contains an option. */
export type OptionSection = keyof typeof sectionGrants

/** The grant that changes options, and the one that suffices to read them where they are not public. */
export const optionReaders = {
  'settings.write': 'settings.read',
  'settings.secure': 'settings.secure',
  'prices.write': 'prices.read',
  'balances.write': 'settings.read',
} as const satisfies Partial<Record<Grant, Grant>>

export type OptionGrant = keyof typeof optionReaders

/**
 * The grants needed to change the options of a section. What contains secrets, runs code, concerns payment, or decides who signs in as
 * whom is reserved to the super admin: through mail, the server's address or another sign-in a letter meant for the super admin could be
 * read, and a bucket receives what users make.
 */
export const sectionGrants = {
  login: 'settings.write',
  'mail-domains': 'settings.write',
  'bot-check': 'settings.write',
  security: 'settings.secure',
  'request-limits': 'settings.secure',
  github: 'settings.secure',
  oidc: 'settings.secure',
  linuxdo: 'settings.secure',
  wechat: 'settings.secure',
  telegram: 'settings.secure',
  mail: 'settings.secure',
  address: 'settings.secure',
  proxy: 'settings.secure',
  worker: 'settings.secure',
  operation: 'settings.secure',
  chats: 'settings.secure',
  appearance: 'settings.write',
  texts: 'settings.write',
  code: 'settings.secure',
  updates: 'settings.write',
  money: 'balances.write',
  quota: 'balances.write',
  invitation: 'balances.write',
  'check-in': 'balances.write',
  payment: 'settings.secure',
  epay: 'settings.secure',
  stripe: 'settings.secure',
  callback: 'settings.secure',
  invoices: 'settings.secure',
  groups: 'prices.write',
  prices: 'prices.write',
  'price-sync': 'prices.write',
  relay: 'settings.write',
  models: 'settings.write',
  'rate-limit': 'settings.write',
  realtime: 'settings.write',
  'response-cache': 'settings.write',
  'web-search': 'settings.secure',
  'sensitive-words': 'settings.write',
  logs: 'settings.write',
  dashboard: 'settings.write',
  drawing: 'settings.write',
  files: 'settings.write',
  bucket: 'settings.secure',
  'channel-tests': 'settings.write',
  monitoring: 'settings.write',
  'balance-alerts': 'balances.write',
  backups: 'settings.secure',
  events: 'settings.write',
  'event-webhooks': 'settings.secure',
} as const satisfies Readonly<Record<string, OptionGrant>>

/** The unit of a number. `quota` is money in the gateway's own units, of which `QuotaPerUnit` make a dollar. */
type OptionUnit = 'quota' | 'usd' | 'seconds' | 'minutes' | 'tokens' | 'calls' | 'percent'

/**
 * The format of a text, where it is more than words. `markdown` may also be HTML, or the address of a page; `head` is HTML that is not
 * shown; a `paragraph` has several lines.
 */
type OptionFormat = 'markdown' | 'html' | 'head' | 'css' | 'javascript' | 'color' | 'time-zone' | 'paragraph'

/**
 * The values of a table. `matrix`: a table of numbers for each name; `limits`: two whole numbers; `link`: a list of tables with one entry
 * each; `amounts`: a list of numbers without names; `bonus`: a list of bonuses, each with an amount, a sum or a share, and whether users get
 * it once; `method`: a list of payment methods, each with its type, name, color and minimum;
 * `object`: a list of objects in vendors' accounts; `strategy`: a list of rules, each with a group, a model and a routing strategy.
 */
export type TableEntries =
  | 'number'
  | 'text'
  | 'link'
  | 'matrix'
  | 'limits'
  | 'amounts'
  | 'bonus'
  | 'method'
  | 'object'
  | 'strategy'

/** The kind of names in a table; `known-group`: groups that `GroupRatio` lists. */
export type TableNames = 'amount' | 'chat' | 'group' | 'known-group' | 'method' | 'model' | 'object' | 'tier' | 'tool'

interface Sentence {
  readonly en: string
  readonly zh: string
}

/** What must be filled in before a switch may be turned on, or a choice be `value`. `feature` and `needed` complete the sentence of the refusal. */
export interface Prerequisite {
  readonly value?: string
  readonly needs: readonly string[]
  readonly feature: Sentence
  readonly needed: Sentence
}

// The payment vendor calls back and sends payers back to this address.
const onlinePayment: Prerequisite = {
  needs: ['ServerAddress'],
  feature: { en: 'online payment', zh: '在线支付' },
  needed: { en: 'the server address', zh: '服务器地址' },
}

/** What must be filled in before any option of a section may be changed. */
export const sectionPrerequisites: Partial<Readonly<Record<OptionSection, Prerequisite>>> = {
  payment: onlinePayment,
  epay: onlinePayment,
  stripe: onlinePayment,
  callback: onlinePayment,
}

/** One setting of the site. It is stored as text and parsed once, when the catalog is built. */
export interface Option<Value = unknown> {
  readonly kind: OptionKind
  readonly section: OptionSection
  readonly default: Value
  /** The value is part of the public status. */
  readonly isPublic: boolean
  /** The grant needed to change the value. Default: that of the section; of a secret always `settings.secure`. */
  readonly grant?: OptionGrant
  /** Returns the schema from the stored text to the value; it refuses what is out of bounds. Created on first use. */
  schema(): z.ZodType<Value, string>
  /** Returns the canonical text of a value: what is stored. */
  text(value: Value): string
  readonly prerequisite?: Prerequisite
  readonly choices?: readonly string[]
  readonly unit?: OptionUnit
  readonly format?: OptionFormat
  /** JSON that is edited as a table. */
  readonly entries?: TableEntries
  readonly names?: TableNames
  /** JSON with an editor of its own. */
  readonly editor?: 'aliases' | 'chains'
}

interface Extra {
  readonly isPublic?: boolean
  readonly grant?: OptionGrant
  readonly prerequisite?: Prerequisite
  readonly unit?: OptionUnit
}

const commonFieldsOf = (section: OptionSection, extra: Extra) => ({
  section,
  isPublic: extra.isPublic ?? false,
  ...(extra.grant && { grant: extra.grant }),
  ...(extra.prerequisite && { prerequisite: extra.prerequisite }),
  ...(extra.unit && { unit: extra.unit }),
})

// Each step of a schema is an object of its own, and all of them would take megabytes in every worker: most options are never set, so a
// schema is created when a text has to be read, and what many options share is created once.

/** Returns a function that creates a value on its first call, and returns the same one from then on. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined
  return () => (cached ??= { value: make() }).value
}

const switchText = once(() =>
  z
    .string()
    .trim()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
)

/** A switch: `true` or `false`. */
export const flag = (section: OptionSection, initial: boolean, extra: Extra = {}): Option<boolean> => ({
  ...commonFieldsOf(section, extra),
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
const maxWhole = 1e15

const wholeText = once(() =>
  z
    .string()
    .trim()
    .regex(/^-?\d{1,16}$/, refusal('reason.whole_number'))
    .transform(Number),
)
const wholeNumber = once(() => z.number().int())

/** A whole number, at least 0 unless `min` says otherwise. */
export const whole = (section: OptionSection, initial: number, bounds: Bounds = {}): Option<number> => ({
  ...commonFieldsOf(section, bounds),
  kind: 'integer',
  default: initial,
  schema: once(() =>
    wholeText().pipe(
      wholeNumber()
        .min(bounds.min ?? 0)
        .max(bounds.max ?? maxWhole),
    ),
  ),
  text: String,
})

const decimalText = once(() =>
  z
    .string()
    .trim()
    .regex(/^-?\d{1,16}(\.\d{1,16})?$/, refusal('reason.decimal_number'))
    .transform(Number),
)

/** A decimal number, at least 0 unless the bounds say otherwise. */
export const decimal = (section: OptionSection, initial: number, bounds: Bounds = {}): Option<number> => ({
  ...commonFieldsOf(section, bounds),
  kind: 'number',
  default: initial,
  schema: once(() =>
    decimalText().pipe(
      z
        .number()
        .min(bounds.min ?? 0)
        .max(bounds.max ?? maxWhole)
        .gt(bounds.above ?? -1),
    ),
  ),
  text: String,
})

/** Room for a page of HTML, yet bounded. */
const maxTextLength = 200_000

/** Free text, stored verbatim. */
export const text = (
  section: OptionSection,
  initial: string,
  extra: Extra & { max?: number; format?: OptionFormat } = {},
): Option<string> => ({
  ...commonFieldsOf(section, extra),
  kind: 'text',
  ...(extra.format && { format: extra.format }),
  default: initial,
  schema: once(() =>
    extra.format ? z.string().max(extra.max ?? maxTextLength) : nameText(extra.max ?? maxTextLength),
  ),
  text: (value) => value,
})

/** A value that never leaves the server; stored sealed. */
export const secret = (section: OptionSection): Option<string> => ({
  ...commonFieldsOf(section, {}),
  kind: 'secret',
  default: '',
  schema: once(() => z.string().trim().max(4096)),
  text: (value) => value,
})

/** One of a few words. */
export const choice = <const Value extends string>(
  section: OptionSection,
  choices: readonly [Value, ...Value[]],
  extra: Extra = {},
): Option<Value> => ({
  ...commonFieldsOf(section, extra),
  kind: 'choice',
  default: choices[0],
  choices,
  schema: once(() => z.string().trim().pipe(z.enum(choices))),
  text: (value) => value,
})
