import { channelRoutes, channelStatus, type OptionValues } from '@tollgate/contract'
import { providerOf, type Provider } from '@tollgate/providers'
import type { Insertable } from 'kysely'

import { inheritedQuotaPrefix } from '../../../channels/change-channels'
import { fingerprintOf, type KeyStates } from '../../../channels/catalog/channel-keys'
import { maskSecrets, sealSecrets } from '../../../channels/catalog/channel-secrets'
import { checkKey, toChannelColumns } from '../../../console-api/channels/channel-fields'
import { AppError } from '../../../platform/app-error'
import type { ChannelsTable } from '../../../platform/store/tables/catalog'
import type { SiteSource, SourceChannel, SourceKey } from '../site-source'
import { noteLargeFigures, slicesOf, type ImportTarget } from './import-target'

type Row = Insertable<ChannelsTable>
type Site = Pick<OptionValues, 'GroupRatio'>

/** Channels of vendors that we do not have are kept as this, switched off. */
const unknownVendor = 8

/** Imports all channels. What a channel needs and the source does not have switches it off, with a remark. */
export async function writeChannels(source: SiteSource, site: Site, target: ImportTarget): Promise<void> {
  for await (const channels of source.channels()) {
    const rows = channels.map((channel) => columnsOf(channel, site, target))
    for (const some of slicesOf(rows)) await target.transaction.insertInto('channels').values(some).execute()
    await writeUsed(channels, target)
    target.report.count('channels', rows.length)
    target.report.count(
      'keys of channels',
      channels.reduce((sum, { keys }) => sum + keys.length, 0),
    )
  }
}

/** Calls of the source have no sums by channel. */
async function writeUsed(channels: readonly SourceChannel[], { transaction }: ImportTarget): Promise<void> {
  const used = channels
    .filter(({ usedQuota }) => usedQuota !== 0)
    .map(({ id, usedQuota: value }) => ({ name: `${inheritedQuotaPrefix}${id}`, value }))
  for (const some of slicesOf(used)) await transaction.insertInto('counters').values(some).execute()
}

function columnsOf(channel: SourceChannel, site: Site, target: ImportTarget): Row {
  const { seal } = target
  noteLargeFigures(target, `channel ${channel.name} #${channel.id}`, [channel.usedQuota])
  const provider = vendorOf(channel.type)
  const { fields, faults: ofFields } = checkedFields(channel, { provider, options: site })
  const keys = channel.keys.map(({ value }) => value).join(',')
  const ofKeys =
    keys === '' ? ['it has no key'] : isKeyText(keys, provider) ? [] : ['its key has not the form of its vendor’s']
  // Rules of the vendor that stands in for an unknown one say nothing.
  const faults = channel.type === null ? ['no vendor here has its type'] : [...ofFields, ...ofKeys]
  if (channel.fault !== null) faults.push(channel.fault)
  const { shown, secrets } = maskSecrets(fields)
  return {
    ...fields,
    ...shown,
    id: channel.id,
    type: provider.type,
    name: channel.name,
    key_sealed: keys === '' ? '' : seal.seal(keys, `channels.key_sealed#${channel.id}`),
    secrets_sealed: sealSecrets(seal, channel.id, secrets),
    key_states: JSON.stringify(keyStates(channel.keys)),
    ...statusOf(channel, faults, target),
    response_time: channel.responseMs,
    test_time: channel.testedAt,
    balance: channel.balance,
    balance_updated_time: channel.balanceAt,
    used_quota: channel.usedQuota,
    created_time: channel.createdAt,
  }
}

function vendorOf(type: number | null): Provider {
  const provider = providerOf(type ?? unknownVendor)
  if (!provider) throw new Error(`No vendor has the type ${type}`)
  return provider
}

interface Checked {
  readonly fields: Omit<channelRoutes.ChannelFields, 'name'>
  readonly faults: readonly string[]
}

/** Returns the fields as the console would accept them; one that it would not is left out, and named. */
function checkedFields(
  { fields: sourceFields }: SourceChannel,
  site: { readonly provider: Provider; readonly options: Site },
): Checked {
  const { name: _name, ...blank } = channelRoutes.blankFields
  const faults: string[] = []
  const fields = { ...blank }
  for (const name of channelRoutes.channelFieldNames) {
    if (name === 'name') continue
    try {
      Object.assign(fields, toChannelColumns({ [name]: sourceFields[name] ?? blank[name] }, site))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      faults.push(`its ${name} cannot be used`)
    }
  }
  return { fields, faults }
}

function isKeyText(text: string, provider: Provider): boolean {
  try {
    checkKey(text, provider)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

const keyStates = (keys: readonly SourceKey[]): KeyStates =>
  Object.fromEntries(
    keys
      .filter(({ isEnabled }) => !isEnabled)
      .map(({ value, reason, disabledAt: time }) => [
        fingerprintOf(value),
        { status: reason === '' ? channelStatus.disabled : channelStatus.autoDisabled, reason, time },
      ]),
  )

function statusOf(
  channel: SourceChannel,
  faults: readonly string[],
  { report }: ImportTarget,
): Pick<Row, 'status' | 'other_info'> {
  const label = `${channel.name} #${channel.id}`
  for (const note of channel.notes) report.note(`channels: ${note}`, label)
  for (const fault of faults) report.note(`channels switched off: ${fault}`, label)
  const noInfo = { other_info: '{}' }
  if (faults.length > 0) return { status: channelStatus.disabled, ...noInfo }
  const known: readonly number[] = Object.values(channelStatus)
  const status = known.includes(channel.status) ? channel.status : channelStatus.disabled
  if (status !== channelStatus.autoDisabled) return { status, ...noInfo }
  const info = { status_reason: channel.disabledReason, status_time: channel.disabledAt }
  return { status, other_info: JSON.stringify(info) }
}
