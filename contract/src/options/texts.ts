import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { isNamedTimeZone } from '../time-units'
import { once, type Option, type OptionSection } from './option'

const maxAddressLength = 2048

const withoutTrailingSlashes = (text: string) => text.replace(/(?<!\/)\/+$/, '')

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** An option that is not a secret is shown and stored as it is, so its address may not have a name and a password in it. */
const hasUserInfo = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.username !== '' || url.password !== '')
}

const cleanAddress = once(() =>
  z
    .string()
    .trim()
    .max(maxAddressLength)
    .transform(withoutTrailingSlashes)
    .refine((text) => text === '' || isWebAddress(text), refusal('reason.web_address'))
    .refine((text) => !hasUserInfo(text), refusal('reason.address_credentials')),
)

const exactAddress = once(() =>
  z
    .string()
    .trim()
    .max(maxAddressLength)
    .refine((text) => text === '' || isWebAddress(text), refusal('reason.web_address'))
    .refine((text) => !hasUserInfo(text), refusal('reason.address_credentials')),
)

/** An http or https address, or nothing. Trailing slashes are removed, as paths are appended to it. */
export const webAddress = (section: OptionSection, initial = '', isPublic = false): Option<string> => ({
  section,
  kind: 'text',
  default: initial,
  isPublic,
  schema: cleanAddress,
  text: (value) => value,
})

/** An address that is used verbatim: its last slash may matter. */
export const exactWebAddress = (section: OptionSection, isPublic = false): Option<string> => ({
  ...webAddress(section, '', isPublic),
  schema: exactAddress,
})

/** A text of this form. */
export const pattern = (
  section: OptionSection,
  initial: string,
  form: RegExp,
  reason: Parameters<typeof refusal>[0],
): Option<string> => ({
  section,
  kind: 'text',
  default: initial,
  isPublic: false,
  schema: once(() => z.string().trim().max(255).regex(form, refusal(reason))),
  text: (value) => value,
})

/** The IANA name of a time zone: https://www.iana.org/time-zones */
export const timeZone = (section: OptionSection): Option<string> => ({
  section,
  kind: 'text',
  default: 'UTC',
  isPublic: false,
  format: 'time-zone',
  schema: once(() => z.string().trim().max(64).refine(isNamedTimeZone, refusal('reason.time_zone'))),
  text: (value) => value,
})

/**
 * A currency that Stripe charges in, by its ISO 4217 code in capitals. Stripe documents UGX both with and without decimals, so that an
 * amount could be a hundred times what was meant.
 */
export const stripeCurrency = (section: OptionSection): Option<string> => ({
  section,
  kind: 'text',
  default: 'USD',
  isPublic: false,
  schema: once(() =>
    z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^(?!UGX)[A-Z]{3}$/, refusal('reason.currency')),
  ),
  text: (value) => value,
})

/** The source of an image: a web address, a path of this site, or the image itself as a data URL. */
export const imageAddress = (section: OptionSection): Option<string> => ({
  section,
  kind: 'text',
  default: '',
  isPublic: true,
  schema: once(() =>
    z
      .string()
      .trim()
      .max(500_000)
      .refine(
        (text) => text === '' || isWebAddress(text) || /^\/(?!\/)/.test(text) || /^data:image\//i.test(text),
        refusal('reason.picture_address'),
      ),
  ),
  text: (value) => value,
})

const maxLineLength = 500
const maxLines = 20_000

/** One entry per line; empty lines are left out. */
export const lines = (section: OptionSection, initial: readonly string[]): Option<readonly string[]> => ({
  section,
  kind: 'lines',
  default: initial,
  isPublic: false,
  schema: once(() =>
    z
      .string()
      .transform((text) =>
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      )
      .pipe(z.array(z.string().max(maxLineLength)).max(maxLines)),
  ),
  text: (value) => value.join('\n'),
})

const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

/** Returns a check that refuses the second of two entries with the same name, at its place. */
export const eachOnce =
  <Entry>(nameOf: (entry: Entry) => string) =>
  ({ value, issues }: z.core.ParsePayload<readonly Entry[]>): void => {
    const names = value.map(nameOf)
    const at = names.findIndex((name, index) => names.indexOf(name) < index)
    const input = names[at]
    if (input !== undefined) issues.push({ code: 'custom', input, path: [at], message: refusal('reason.repeated') })
  }

/** Comma-separated mail domains, lower-cased, each once. */
export const domains = (section: OptionSection, initial: readonly string[]): Option<readonly string[]> => ({
  section,
  kind: 'list',
  default: initial,
  isPublic: false,
  schema: once(() =>
    z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((entry) => entry.trim().toLowerCase())
          .filter((entry) => entry !== ''),
      )
      .pipe(
        z
          .array(z.string().max(255).regex(domain, refusal('reason.domain')))
          .max(1000)
          .check(eachOnce((entry) => entry)),
      ),
  ),
  text: (value) => value.join(','),
})

export interface StatusRange {
  readonly from: number
  readonly to: number
}

const StatusRangeText = () =>
  z
    .string()
    .trim()
    .regex(/^[1-5]\d\d(\s*-\s*[1-5]\d\d)?$/, refusal('reason.statuses'))
    .transform((text): StatusRange => {
      const [from = 0, to = from] = text.split('-').map(Number)
      return { from, to }
    })
    .refine(({ from, to }) => from <= to, refusal('reason.backwards'))

/** Comma-separated HTTP statuses and ranges, as `429, 500-503`. */
export const statusRanges = (
  section: OptionSection,
  initial: readonly StatusRange[],
): Option<readonly StatusRange[]> => ({
  section,
  kind: 'text',
  default: initial,
  isPublic: false,
  schema: once(() =>
    z
      .string()
      .max(2000)
      .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
      .pipe(z.array(StatusRangeText()).max(100)),
  ),
  text: (value) => value.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', '),
})
