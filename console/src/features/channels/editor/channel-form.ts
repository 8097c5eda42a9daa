import { channelRoutes, type RouteSent } from '@tollgate/contract'

type Channel = channelRoutes.ChannelEntity
type SentChannel = Omit<NonNullable<RouteSent<typeof channelRoutes.createChannel>['body']>, 'id' | 'status'>

type Fields = channelRoutes.ChannelFields
/** Fields with a value of their own kind in the editor. */
type SpecialField = 'models' | 'group' | 'tag' | 'auto_ban'
type PlainFields = { [Name in Exclude<keyof Fields, SpecialField>]: Fields[Name] extends number ? number | '' : string }

/** The values of the editor, as typed. */
export interface ChannelForm extends PlainFields {
  /** Empty until a vendor is chosen. */
  type: number | ''
  /** Empty keeps the stored keys. */
  key: string
  models: string[]
  groups: string[]
  tag: string
  auto_ban: boolean
}

export const defaultGroup = channelRoutes.blankFields.group

const valuesOf = ({
  models,
  group,
  tag,
  auto_ban: isBannable,
  ...plain
}: Fields): Omit<ChannelForm, 'type' | 'key'> => ({
  ...plain,
  models: listOf(models),
  groups: listOf(group),
  tag: tag ?? '',
  auto_ban: isBannable === 1,
})

export const blankForm = (): ChannelForm => ({ ...valuesOf(channelRoutes.blankFields), type: '', key: '' })

export const formOf = (channel: Channel): ChannelForm => ({
  ...valuesOf(channelRoutes.fieldsOf(channel)),
  type: channel.type,
  key: '',
})

/** Returns the form as the server expects it; an empty number is 0. */
export const toSentChannel = ({
  groups,
  models,
  auto_ban: isBannable,
  tag,
  type,
  ...form
}: ChannelForm): SentChannel => ({
  ...form,
  type: Number(type),
  name: form.name.trim(),
  base_url: withoutSlash(form.base_url),
  models: models.join(','),
  group: groups.join(','),
  ...numbersOf(form),
  tag: tag.trim() || null,
  auto_ban: isBannable ? 1 : 0,
})

type NumberField = { [Name in keyof PlainFields]: Fields[Name] extends number ? Name : never }[keyof PlainFields]

const isNumberField = (name: keyof Fields): name is NumberField =>
  name !== 'auto_ban' && typeof channelRoutes.blankFields[name] === 'number'

function numbersOf(form: Pick<ChannelForm, NumberField>) {
  const numbers = channelRoutes.channelFieldNames.filter(isNumberField).map((name) => [name, Number(form[name])])
  return Object.fromEntries(numbers) as Record<NumberField, number>
}

/** Returns only what the reader changed, so that concurrent changes of others survive. */
export function changesOf(before: ChannelForm, after: ChannelForm): Partial<SentChannel> {
  const old = new Map<string, unknown>(Object.entries(toSentChannel(before)))
  return Object.fromEntries(Object.entries(toSentChannel(after)).filter(([name, value]) => old.get(name) !== value))
}

/** Whether stored keys would be sent to another host: then the server requires them again. */
export const isElsewhere = (before: ChannelForm, after: ChannelForm, defaultAddress: string | null): boolean =>
  before.type !== after.type ||
  destinationOf(before, defaultAddress) !== destinationOf(after, defaultAddress) ||
  proxyOf(before) !== proxyOf(after)

const destinationOf = ({ base_url: address }: ChannelForm, defaultAddress: string | null): string =>
  withoutVersion(address || (defaultAddress ?? '')).toLowerCase()

/** Whether its clients bring a login of their own: then it may do without a key. */
export const takesOwnLogins = ({ setting }: Pick<ChannelForm, 'setting'>): boolean =>
  objectOf(setting)?.['own_login'] === true

const proxyOf = ({ setting }: ChannelForm): unknown => objectOf(setting)?.['proxy'] || undefined

export const withoutSlash = (address: string): string => address.trim().replace(/(?<!\/)\/+$/, '')

/** The vendor and the address from which a list of models came. */
export type ProvenAddress = Pick<ChannelForm, 'type' | 'base_url'>

/**
 * Whether the address most likely ends in a version by mistake: the gateway adds it itself. Not so where it has just served, nor
 * for Azure, one of whose two forms of address ends so.
 */
export const hasExtraVersion = (
  { type, base_url: address }: ProvenAddress,
  vendorId: string | undefined,
  proven: ProvenAddress | undefined,
): boolean =>
  endsInVersion(address) &&
  !(vendorId === 'azure' && /\/openai\/v1$/i.test(withoutSlash(address))) &&
  !(proven?.type === type && withoutSlash(proven.base_url) === withoutSlash(address))

const endsInVersion = (address: string): boolean => /\/v1$/i.test(withoutSlash(address))

export const withoutVersion = (address: string): string => withoutSlash(withoutSlash(address).replace(/\/v1$/i, ''))

/** Returns the distinct parts of a comma-separated text. */
export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

/** Returns the keys that a text contains, separated by commas or line breaks where the vendor takes several. */
export const keysIn = (text: string, takesSeveral: boolean): string[] =>
  takesSeveral ? listOf(text.replaceAll(/\r?\n/g, ',')) : [text.trim()].filter((key) => key !== '')

/** A channel's own settings are one JSON text; a vendor's field maps to one key of it. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a JSON object; an empty text is an empty object. Undefined for anything else. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the text with one key set or removed. A text that is not an object is left unchanged. */
export function withSetting(text: string, key: string, value: unknown): string {
  const settings = objectOf(text)
  if (!settings) return text
  const others = Object.entries(settings).filter(([name]) => name !== key)
  const isStored = value !== undefined && value !== '' && value !== false
  const next = isStored ? [...others, [key, value]] : others
  return next.length === 0 ? '' : JSON.stringify(Object.fromEntries(next), null, 2)
}
