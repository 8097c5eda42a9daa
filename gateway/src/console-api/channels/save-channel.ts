import { channelRoutes, ChannelSetting, channelStatus, readFields } from '@tollgate/contract'
import { isObject } from '@tollgate/dialects'
import { providerOf, takesOwnLogins, type Provider } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import { fingerprintOf, openKeys, parseKeyStates, splitKeys } from '../../channels/catalog/channel-keys'
import {
  maskSecrets,
  sealSecrets,
  secretColumns,
  withSecrets,
  type Secrets,
  type SecretTexts,
} from '../../channels/catalog/channel-secrets'
import type { SiteContext } from '../../context'
import { parsedJson } from '../../platform/text/parsed-json'
import type { Transaction } from '../../platform/store/database'
import { changeChannels, inheritedQuotaPrefix, lockChannel } from '../../channels/change-channels'
import type { ChannelRow } from '../../platform/store/tables'
import { channelEntity } from './channel-entity'
import { toChannelColumns, checkKey, checkStatus, checkType } from './channel-fields'
import { restoreSecrets } from './restore-secrets'
import { onceEnabled, sinceEnabled, withUsableKeys } from '../../channels/channel-status'

/** The columns that decide where keys are sent, where a request omits them. */
const unset = { base_url: '', setting: '', param_override: '' }

/**
 * Creates a channel. With `copy_from` its keys come from that channel when none are given, and are sent where they were.
 * @throws AppError with the code of the first rule that is broken.
 */
export async function createChannel(
  ctx: SiteContext,
  newChannel: channelRoutes.NewChannel,
): Promise<channelRoutes.ChannelEntity> {
  const provider = checkType(newChannel.type)
  const source = await keySource(ctx, newChannel)
  const key = source ? ctx.seal.open(source.key_sealed, `channels.key_sealed#${source.id}`) : (newChannel.key ?? '')
  const needsKey = key.trim() !== '' || !takesLogins(newChannel, provider)
  if (!newChannel.name || (needsKey && !key.trim())) throw new AppError('channel.name_or_key')
  const keys = needsKey ? checkKey(key, provider) : ''
  // Rules for empty fields apply to those that the request omits too.
  const columns = toChannelColumns(
    { ...channelRoutes.blankFields, ...newChannel },
    { provider, options: ctx.catalog.current.options },
  )
  const masked = { ...columns, ...maskSecrets({ ...unset, ...columns }).shown }
  if (source) requireSameDestination(maskedRow(source), { ...masked, type: provider.type })
  const texts = { ...unset, ...columns }
  const restored = restoreSecrets(texts, source && { texts: withSecrets(source, ctx.seal), isSameDestination: true })
  const { shown, secrets } = maskSecrets({ ...texts, ...restored })
  const row = await changeChannels(ctx, async (transaction) => {
    const created = await transaction
      .insertInto('channels')
      .values({
        ...columns,
        ...shown,
        type: provider.type,
        name: newChannel.name ?? '',
        tag: columns.tag ?? null,
        key_sealed: '',
        created_time: ctx.clock.seconds(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { ...created, ...(await sealIn(ctx, created.id, { keys, secrets }, transaction)) }
  })
  return channelEntity(ctx, row)
}

/** Returns whether a channel may do without a key, as its clients bring logins of their own. */
function takesLogins({ setting }: channelRoutes.NewChannel, { ownLogin }: Provider): boolean {
  const value = ownLogin && parsedJson(setting ?? '')
  return isObject(value) && takesOwnLogins({ setting: value })
}

interface Sealed {
  readonly keys: string
  readonly secrets: Secrets
}

/** What is sealed is bound to its row, so it is written when that has an id. */
async function sealIn(ctx: SiteContext, channelId: number, { keys, secrets }: Sealed, transaction: Transaction) {
  const sealed = {
    key_sealed: ctx.seal.seal(keys, `channels.key_sealed#${channelId}`),
    secrets_sealed: sealSecrets(ctx.seal, channelId, secrets),
  }
  await transaction.updateTable('channels').set(sealed).where('id', '=', channelId).execute()
  return sealed
}

const maskedRow = <Row extends SecretTexts>(row: Row): Row => ({ ...row, ...maskSecrets(row).shown })

/** Returns the channel whose keys a new one takes; null when it brings keys of its own. */
async function keySource(ctx: SiteContext, { key = '', copy_from: source }: channelRoutes.NewChannel) {
  if (key.trim() !== '' || source === undefined) return null
  const row = await ctx.database.query
    .selectFrom('channels')
    .select(['id', 'key_sealed', 'secrets_sealed', 'type', 'base_url', 'setting', 'param_override'])
    .where('id', '=', source)
    .executeTakeFirst()
  if (!row) throw new AppError('channel.none')
  return row
}

/** Resolves with whether an edit without a key would send the stored ones to another destination. */
export async function movesKeys(ctx: SiteContext, edit: channelRoutes.ChannelEdit): Promise<boolean> {
  if (edit.key?.trim()) return false
  const before = await ctx.database.query
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', edit.id)
    .executeTakeFirst()
  return before !== undefined && !editedColumns(ctx, before, edit).isSame
}

/**
 * Changes what the edit names. `mayMoveKeys`: the caller proved to be who may choose where stored keys are sent.
 * @throws AppError `channel.none`, `channel.key_again`, or the code of the first rule that is broken.
 */
export async function updateChannel(
  ctx: SiteContext,
  edit: channelRoutes.ChannelEdit,
  { mayMoveKeys = false } = {},
): Promise<channelRoutes.ChannelEntity> {
  const row = await changeChannels(ctx, async (transaction) => {
    const before = await lockChannel(ctx, edit.id, transaction)
    const columns = changedColumns(ctx, before, edit, mayMoveKeys)
    // Something is always set: an edit without fields returns the row as it is.
    return transaction
      .updateTable('channels')
      .set({ ...columns, id: before.id })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return channelEntity(ctx, row)
}

/** Returns the edited columns with their checks, and whether calls go where they went. */
function editedColumns(ctx: SiteContext, before: ChannelRow, edit: channelRoutes.ChannelEdit) {
  const provider = checkType(edit.type ?? before.type)
  const isOtherType = provider.type !== before.type
  const fields = {
    ...edit,
    // A group the site lost stays until the groups are changed: other edits must not fail because of it.
    group: edit.group === before.group ? undefined : edit.group,
    // Another vendor has other rules for these, so they are checked again.
    base_url: edit.base_url ?? (isOtherType ? before.base_url : undefined),
    other: edit.other ?? (isOtherType ? before.other : undefined),
  }
  const edited = {
    ...toChannelColumns(fields, { provider, options: ctx.catalog.current.options }),
    ...(edit.key?.trim() && newKeyColumns(ctx, before, checkKey(edit.key, provider), provider)),
  }
  return { edited, isSame: isSameDestination(maskedRow(before), maskedRow({ ...before, ...edited })) }
}

function changedColumns(ctx: SiteContext, before: ChannelRow, edit: channelRoutes.ChannelEdit, mayMoveKeys: boolean) {
  const { edited, isSame } = editedColumns(ctx, before, edit)
  const isAllowed = isSame || mayMoveKeys
  if (!edit.key?.trim()) {
    if (!isAllowed) throw new AppError('channel.key_again')
    // Stored keys may not have the form of another vendor's.
    if (edit.type !== undefined && edit.type !== before.type)
      checkKey(openKeys(ctx, before).join(','), checkType(edit.type))
  }
  const columns = { ...edited, ...secretColumnsOf(ctx, before, edited, isAllowed) }
  // Automatically disabled cannot be chosen, but a row sent back as it was read may contain it.
  const isStatusUnchanged = edit.status === before.status && before.status === channelStatus.autoDisabled
  if (edit.status === undefined || isStatusUnchanged) return columns
  const status = checkStatus(edit.status)
  const keys = { ...before, ...columns }
  if (status !== channelStatus.enabled) return { ...columns, status }
  const info = before.status === channelStatus.enabled ? sinceEnabled(before) : onceEnabled(ctx)
  return { ...columns, status, ...info, ...withUsableKeys(ctx, keys) }
}

/** Returns the columns with credentials masked, and what is sealed of them; nothing where none of them is edited. */
function secretColumnsOf(ctx: SiteContext, before: ChannelRow, edited: Partial<SecretTexts>, isSame: boolean) {
  if (secretColumns.every((column) => edited[column] === undefined)) return {}
  const texts = withSecrets(before, ctx.seal)
  const { shown, secrets } = maskSecrets({
    ...texts,
    ...restoreSecrets(edited, { texts, isSameDestination: isSame }),
  })
  return {
    base_url: shown.base_url,
    setting: shown.setting,
    param_override: shown.param_override,
    secrets_sealed: sealSecrets(ctx.seal, before.id, secrets),
  }
}

/** A key that stays keeps its state; what is known about removed keys is dropped. */
function newKeyColumns(ctx: SiteContext, before: ChannelRow, key: string, provider: Provider) {
  const fingerprints = new Set(splitKeys(key, provider).map(fingerprintOf))
  const states = Object.entries(parseKeyStates(before.key_states)).filter(([name]) => fingerprints.has(name))
  return {
    key_sealed: ctx.seal.seal(key, `channels.key_sealed#${before.id}`),
    key_states: JSON.stringify(Object.fromEntries(states)),
  }
}

export interface CopyChoices {
  readonly suffix?: string
  readonly reset_balance?: boolean
}

/** Copies a channel with its keys; what was measured on the original is not copied. Resolves with the id of the copy. */
export async function copyChannel(ctx: SiteContext, channelId: number, choices: CopyChoices): Promise<number> {
  return changeChannels(ctx, async (transaction) => {
    const locked = await lockChannel(ctx, channelId, transaction)
    const { id: _id, key_sealed: sealed, ...source } = maskedRow(locked)
    const keys = ctx.seal.open(sealed, `channels.key_sealed#${channelId}`)
    const { secrets } = maskSecrets(withSecrets(locked, ctx.seal))
    const isReset = choices.reset_balance ?? true
    const copy = await transaction
      .insertInto('channels')
      .values({
        ...source,
        key_sealed: '',
        secrets_sealed: '',
        name: await freeName(source.name + (choices.suffix ?? '_复制'), transaction),
        created_time: ctx.clock.seconds(),
        response_time: 0,
        test_time: 0,
        test_failure: '',
        ...(isReset && { balance: 0, balance_currency: '', balance_updated_time: 0, used_quota: 0 }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sealIn(ctx, copy.id, { keys, secrets }, transaction)
    if (!isReset) await noteInheritedQuota(copy.id, source.used_quota, transaction)
    return copy.id
  })
}

/** Returns the name, with a number when another channel has it, so that two copies in a row differ. */
async function freeName(name: string, transaction: Transaction): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`
    const taken = await transaction.selectFrom('channels').select('id').where('name', '=', candidate).executeTakeFirst()
    if (!taken) return candidate
  }
}

/** Records the used quota that the copy inherited, for those who recompute its counter. */
async function noteInheritedQuota(channelId: number, value: number, transaction: Transaction) {
  await transaction
    .insertInto('counters')
    .values({ name: `${inheritedQuotaPrefix}${channelId}`, value })
    .execute()
}

/** The columns that decide where a channel's keys are sent. */
type Destined = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>

/**
 * Requires that stored keys are sent where they were when they were entered: keys are write-only, and anyone who could choose
 * their destination could read them.
 * @throws AppError `channel.key_again` when the vendor, the address or the proxy differs.
 */
function requireSameDestination(entered: Destined, now: Destined): void {
  if (!isSameDestination(entered, now)) throw new AppError('channel.key_again')
}

const isSameDestination = (entered: Destined, now: Destined): boolean =>
  entered.type === now.type && addressOf(entered) === addressOf(now) && proxyOf(entered) === proxyOf(now)

/** Returns the address that is called; a path counts, as one host may serve many tenants, except for the version at its end. */
function addressOf({ type, base_url: address }: Destined): string {
  const text = (address || (providerOf(type)?.baseUrl ?? '')).replace(/(?<!\/)\/+$/, '').replace(/\/v1$/i, '')
  // Addresses with a placeholder for the region are not URLs yet.
  return URL.canParse(text) ? new URL(text).href.replace(/(?<!\/)\/+$/, '') : text
}

const Proxy = ChannelSetting.pick({ proxy: true })

/** Returns the proxy in a channel's setting. */
export const proxyOf = (row: Pick<ChannelRow, 'setting'>): string | undefined =>
  readFields(Proxy, row.setting).proxy || undefined
