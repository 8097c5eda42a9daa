import { channelRoutes, channelSettingOf, channelStatus, refusal } from '@tollgate/contract'
import { providerOf, type EditorField, type Provider } from '@tollgate/providers'
import type { Updateable } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { OptionValues } from '../../channels/catalog/catalog'
import { splitKeys } from '../../channels/catalog/channel-keys'
import {
  MappingCycleError,
  objectOfText,
  parseModelMapping,
  parseStatusCodeMapping,
  partsOf,
} from '../../channels/catalog/channel-texts'
import { checkedValue } from '../../http/request/checked-value'
import type { ChannelsTable } from '../../platform/store/tables/catalog'

const maxModelLength = 255
const maxWeight = 1_000_000_000

type SentFields = Omit<channelRoutes.NewChannel, 'id' | 'status' | 'copy_from' | 'key'>
type Fields = channelRoutes.ChannelFields
type Name = channelRoutes.ChannelFieldName

export type ChannelColumns = Omit<Updateable<ChannelsTable>, 'id' | 'key_sealed' | 'secrets_sealed' | 'key_states'>

/** What fields are checked against. */
interface Site {
  readonly provider: Provider
  readonly options: Pick<OptionValues, 'GroupRatio'>
}

/**
 * Rules with a sentence of their own, in the order in which they are checked. Each returns the field in canonical form; one without a rule is
 * stored as it was sent.
 */
const checks: { readonly [Field in Name]?: (value: Fields[Field], site: Site) => Fields[Field] } = {
  name: checkName,
  models: checkModels,
  group: checkGroups,
  base_url: checkBaseUrl,
  other: (text, site) => checkVendorField('other', text, site),
  openai_organization: (text, site) => checkVendorField('openai_organization', text, site),
  model_mapping: checkModelMapping,
  status_code_mapping: checkStatusCodeMapping,
  setting: checkSetting,
  param_override: checkParamOverride,
  priority: checkPriority,
  weight: checkWeight,
  tag: (tag) => tag?.trim() || null,
}

const inOrder = new Set([
  ...channelRoutes.channelFieldNames.filter((name) => checks[name]),
  ...channelRoutes.channelFieldNames,
])

/**
 * Returns the columns for the given fields, in canonical form; null means empty.
 * @throws AppError with the code of the first field that breaks its rule.
 */
export function toChannelColumns({ type, ...fields }: SentFields, site: Site): ChannelColumns {
  const columns: Partial<Fields> = {}
  for (const name of inOrder) setColumn(columns, name, fields[name], site)
  return type === undefined ? columns : { ...columns, type }
}

function setColumn<Field extends Name>(
  columns: Partial<Fields>,
  name: Field,
  sent: Fields[Field] | null | undefined,
  site: Site,
) {
  // Null leaves whether it may be disabled as it is.
  if (sent === undefined || (sent === null && name === 'auto_ban')) return
  const value = sent ?? channelRoutes.blankFields[name]
  const check = checks[name]
  columns[name] = check ? check(value, site) : value
}

function checkName(name: string): string {
  if (name === '') throw new AppError('channel.name_or_key')
  return name
}

/** @throws AppError `channel.type` when no vendor has it. */
export function checkType(type: number | undefined): Provider {
  const provider = type === undefined ? undefined : providerOf(type)
  if (!provider) throw new AppError('channel.type')
  return provider
}

/** Manually a channel can only be enabled or disabled. */
export function checkStatus(status: number): number {
  if (status !== channelStatus.enabled && status !== channelStatus.disabled) {
    throw new AppError('param.invalid', { params: { field: 'status' } })
  }
  return status
}

/**
 * Returns the key field in canonical form. A key ends up in a header or an address, so it must not contain control characters.
 * @throws AppError `channel.name_or_key` when there is none, `channel.key_characters` when one cannot be sent, `channel.key_form` when one does not have
 * the form of the vendor's keys.
 */
export function checkKey(text: string, provider: Provider): string {
  const keys = splitKeys(text, provider)
  if (keys.length === 0) throw new AppError('channel.name_or_key')
  if (provider.key.several && !keys.every((key) => /^[\x20-\x7e]+$/.test(key))) {
    throw new AppError('channel.key_characters', { envelopeFields: { field: 'key' } })
  }
  const { isKey = () => true, hint } = provider.key
  if (!keys.every(isKey))
    throw new AppError('channel.key_form', {
      params: { vendor: provider.name, form: hint },
      envelopeFields: { field: 'key' },
    })
  return keys.join(',')
}

/** @throws AppError `channel.models`, `channel.model_long`. */
export function checkModels(text: string): string {
  const models = partsOf(text)
  if (models.length === 0) throw new AppError('channel.models')
  const long = models.find((model) => model.length > maxModelLength)
  if (long) throw new AppError('channel.model_long', { params: { model: `${long.slice(0, 60)}…` } })
  return models.join(',')
}

/** @throws AppError `channel.group` when there is none or the site has no such group. */
export function checkGroups(text: string, { options }: Pick<Site, 'options'>): string {
  const groups = partsOf(text)
  const isKnown = groups.every((group) => options.GroupRatio[group] !== undefined)
  if (groups.length === 0 || !isKnown) throw new AppError('channel.group')
  return groups.join(',')
}

/** @throws AppError `channel.base_url` unless it is an http or https address, or empty where the vendor has a default. */
export function checkBaseUrl(text: string, { provider }: Pick<Site, 'provider'>): string {
  const address = text.trim().replace(/(?<!\/)\/+$/, '')
  const isGiven = address !== ''
  if (!isGiven && provider.baseUrl === null) throw new AppError('channel.base_url')
  if (isGiven && !isWebAddress(address)) throw new AppError('channel.base_url')
  return address
}

const isWebAddress = (text: string): boolean => /^https?:\/\/[^/?#\s]/i.test(text) && URL.canParse(text)

/** @throws AppError `channel.model_mapping`, `channel.model_mapping_cycle`. */
export function checkModelMapping(text: string): string {
  try {
    parseModelMapping(text)
  } catch (error) {
    if (error instanceof MappingCycleError) {
      throw new AppError('channel.model_mapping_cycle', { params: { models: error.model } })
    }
    throw new AppError('channel.model_mapping', { cause: error })
  }
  return text.trim()
}

/** @throws AppError `channel.status_code_mapping`. */
function checkStatusCodeMapping(text: string): string {
  try {
    parseStatusCodeMapping(text)
  } catch (cause) {
    throw new AppError('channel.status_code_mapping', { cause })
  }
  return text.trim()
}

/** @throws AppError `channel.param_override`. */
function checkParamOverride(text: string): string {
  try {
    objectOfText(text)
  } catch (cause) {
    throw new AppError('channel.param_override', { cause })
  }
  return text.trim()
}

/** The runtime speaks to http and https proxies, not to SOCKS ones. */
const proxy = z
  .string()
  .refine((text) => text === '' || isWebAddress(text), refusal('reason.web_address'))
  .optional()

/** @throws AppError `channel.setting` unless it is a JSON object whose keys are known and have valid values. */
function checkSetting(text: string, { provider }: Site): string {
  const value = settingOf(text)
  const checked = value && checkedValue(z.strictObject({ ...channelSettingOf(provider.fields).shape, proxy }), value)
  if (checked && 'fault' in checked) throw new AppError('channel.setting', { params: { detail: checked.fault } })
  return text.trim()
}

function settingOf(text: string) {
  try {
    return objectOfText(text)
  } catch (cause) {
    throw new AppError('channel.setting', { params: { detail: { code: 'reason.json_object' } }, cause })
  }
}

/** @throws AppError `channel.priority`. */
export function checkPriority(priority: number): number {
  if (!Number.isSafeInteger(priority) || priority < channelRoutes.lowestPriority) throw new AppError('channel.priority')
  return priority
}

/** @throws AppError `channel.weight`. */
export function checkWeight(weight: number): number {
  if (!Number.isSafeInteger(weight) || weight < 0 || weight > maxWeight) throw new AppError('channel.weight')
  return weight
}

/** Columns of a channel that a vendor's own fields are stored in; the address has rules of its own. */
type VendorColumn = 'other' | 'openai_organization'

/**
 * Returns a vendor's own field: its default where it is left empty.
 * @throws AppError `channel.other` when the vendor needs it and it stays empty, `channel.region` and `channel.region_default` when it
 * should have a value for each model and does not, `channel.region_json` when it starts like JSON and is not valid.
 */
function checkVendorField(name: VendorColumn, text: string, { provider }: Site): string {
  const field: EditorField | undefined = provider.fields.find((field) => field.name === name)
  const value = text.trim() || (field?.default ?? '')
  if (value === '' && field?.required) throw new AppError('channel.other', { params: { field: field.label } })
  if (name === 'other' && provider.isOtherByModel && value.startsWith('{')) checkByModel(value)
  return value
}

function checkByModel(text: string): void {
  const regions = regionsOf(text)
  if (Object.values(regions).some((region) => region.trim() === '')) throw new AppError('channel.region')
  if (regions['default'] === undefined) throw new AppError('channel.region_default')
}

const Regions = z.record(z.string(), z.string())
const regionExample = '{"default":"us-central1"}'

function regionsOf(text: string): Readonly<Record<string, string>> {
  try {
    return Regions.parse(objectOfText(text))
  } catch (cause) {
    throw new AppError('channel.region_json', { params: { example: regionExample }, cause })
  }
}
