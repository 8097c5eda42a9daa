import type { channelRoutes, RouteSent } from '@tollgate/contract'

import { objectOf } from './setting-text'

type Channel = channelRoutes.ChannelEntity
type SentChannel = Omit<NonNullable<RouteSent<typeof channelRoutes.createChannel>['body']>, 'id' | 'status'>

/** The values of the editor, as typed. */
export interface ChannelForm {
  /** Empty until a vendor is chosen. */
  type: number | ''
  name: string
  /** Empty keeps the stored keys. */
  key: string
  base_url: string
  other: string
  openai_organization: string
  models: string[]
  groups: string[]
  model_mapping: string
  status_code_mapping: string
  param_override: string
  setting: string
  system_prompt: string
  model_prefix: string
  test_model: string
  max_input_tokens: number | ''
  priority: number | ''
  weight: number | ''
  tag: string
  auto_ban: boolean
}

export const defaultGroup = 'default'

export const blankForm = (): ChannelForm => ({
  type: '',
  name: '',
  key: '',
  base_url: '',
  other: '',
  openai_organization: '',
  models: [],
  groups: [defaultGroup],
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  setting: '',
  system_prompt: '',
  model_prefix: '',
  test_model: '',
  max_input_tokens: 0,
  priority: 0,
  weight: 0,
  tag: '',
  auto_ban: true,
})

export const formOf = (channel: Channel): ChannelForm => ({
  type: channel.type,
  name: channel.name,
  key: '',
  base_url: channel.base_url,
  other: channel.other,
  openai_organization: channel.openai_organization,
  models: listOf(channel.models),
  groups: listOf(channel.group),
  model_mapping: channel.model_mapping,
  status_code_mapping: channel.status_code_mapping,
  param_override: channel.param_override,
  setting: channel.setting,
  system_prompt: channel.system_prompt,
  model_prefix: channel.model_prefix,
  test_model: channel.test_model,
  max_input_tokens: channel.max_input_tokens,
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag ?? '',
  auto_ban: channel.auto_ban === 1,
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
  max_input_tokens: Number(form.max_input_tokens),
  priority: Number(form.priority),
  weight: Number(form.weight),
  tag: tag.trim() || null,
  auto_ban: isBannable ? 1 : 0,
})

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

const proxyOf = ({ setting }: ChannelForm): unknown => objectOf(setting)?.['proxy'] || undefined

export const withoutSlash = (address: string): string => address.trim().replace(/(?<!\/)\/+$/, '')

/** Whether the address ends in a version: the gateway adds it itself, so this is most likely a mistake. */
export const endsInVersion = (address: string): boolean => /\/v1$/i.test(withoutSlash(address))

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
