import { channelRoutes, channelStatus, parsePhrase, type Phrase } from '@tollgate/contract'

import { fingerprintOf, openKeys, parseKeyStates, type KeyStates } from './catalog/channel-keys'
import type { Context } from '../context'
import { reportEvent, type ReportedEvent } from '../platform/telemetry/events/report-event'
import { parsedJson } from '../platform/text/parsed-json'
import type { Transaction } from '../platform/store/database'
import type { ChannelRow } from '../platform/store/tables'
import { changeChannels, lockChannel } from './change-channels'
import { systemLog } from '../billing/ledger/event-logs'

export interface Disabling {
  /** Shown to people, or a stored phrase: masked already. */
  readonly reason: string
  /** Set when only this key failed; a channel with other keys goes on with them. */
  readonly keyFingerprint?: string
  /** When the work began that failed, in milliseconds since 1970; default: now. */
  readonly beganAtMs?: number
}

/**
 * Disables a channel, or one key of it, after an error. Resolves with what was disabled: null when there was nothing to do, as the channel
 * is no longer enabled or the key was replaced meanwhile, or the channel was enabled after the work began.
 */
export async function disableChannel(
  ctx: Context,
  channelId: number,
  { reason, keyFingerprint, beganAtMs = Infinity }: Disabling,
): Promise<'channel' | 'key' | null> {
  const row = await enabledRow(ctx, channelId)
  if (!row) return null
  const outcome = await changeChannels(ctx, async (transaction) => {
    const channel = await lockChannel(ctx, channelId, transaction)
    if (channel.status !== channelStatus.enabled || beganAtMs < enabledAtMs(channel)) return null
    const after = afterFailure(ctx, channel, reason, keyFingerprint)
    if (!after) return null
    await setColumns(channelId, after.columns, transaction)
    await reportEvent(ctx, failureEvent(channel, after.outcome, { reason, keyFingerprint }), transaction)
    return after.outcome
  })
  if (outcome) {
    systemLog(ctx, { channelId, channelName: row.name, text: disablingText(outcome, reason, keyFingerprint) })
  }
  return outcome
}

function failureEvent(
  { id, name }: ChannelRow,
  outcome: 'channel' | 'key',
  { reason, keyFingerprint }: Disabling,
): ReportedEvent {
  const facts = { name, reason }
  if (outcome === 'channel') return { kind: 'channel-disabled', subject: String(id), facts }
  return { kind: 'key-disabled', subject: `${id} ${keyFingerprint}`, facts }
}

function disablingText(outcome: 'channel' | 'key', stored: string, key = ''): Phrase {
  const reason = parsePhrase(stored) ?? stored
  if (outcome === 'key') return { code: 'log.key_disabled', params: { key, reason } }
  return { code: 'log.channel_disabled', params: { reason } }
}

/** A look before the transaction: many calls fail at once, and only the first of them has something to write. */
const enabledRow = (ctx: Context, channelId: number) =>
  ctx.database.query
    .selectFrom('channels')
    .select('name')
    .where('id', '=', channelId)
    .where('status', '=', channelStatus.enabled)
    .executeTakeFirst()

/** Returns what a failure does to an enabled channel; null when the key no longer belongs to the channel, or is disabled already. */
function afterFailure(ctx: Context, row: ChannelRow, reason: string, fingerprint: string | undefined) {
  const states = parseKeyStates(row.key_states)
  const keys = openKeys(ctx, row).map(fingerprintOf)
  const time = ctx.clock.seconds()
  if (fingerprint !== undefined) {
    const isOut = (states[fingerprint]?.status ?? channelStatus.enabled) !== channelStatus.enabled
    if (!keys.includes(fingerprint) || isOut) return null
  }
  const out = { status: channelStatus.autoDisabled, reason, time }
  const isOneOfSeveral = fingerprint !== undefined && keys.length > 1
  const after = isOneOfSeveral ? { ...states, [fingerprint]: out } : states
  const key_states = JSON.stringify(after)
  if (isOneOfSeveral && hasUsableKey(ctx, row, after)) return { outcome: 'key', columns: { key_states } } as const
  const other_info = JSON.stringify({ status_reason: reason, status_time: time })
  return { outcome: 'channel', columns: { status: channelStatus.autoDisabled, key_states, other_info } } as const
}

/** Enables an automatically disabled channel again. Resolves with whether it was one; a manually disabled one is left unchanged. */
export async function enableChannel(ctx: Context, channelId: number): Promise<boolean> {
  const row = await changeChannels(ctx, async (transaction) => {
    const channel = await lockChannel(ctx, channelId, transaction)
    if (channel.status !== channelStatus.autoDisabled) return null
    const columns = { status: channelStatus.enabled, ...onceEnabled(ctx), ...withUsableKeys(ctx, channel) }
    await setColumns(channelId, columns, transaction)
    const facts = { name: channel.name }
    await reportEvent(ctx, { kind: 'channel-enabled', subject: String(channelId), facts }, transaction)
    return channel
  })
  if (row) systemLog(ctx, { channelId, channelName: row.name, text: { code: 'log.channel_enabled' } })
  return row !== null
}

/** Enables an automatically disabled key of an enabled channel again. Resolves with whether it was one. */
export async function enableKey(ctx: Context, channelId: number, keyFingerprint: string): Promise<boolean> {
  const row = await changeChannels(ctx, async (transaction) => {
    const channel = await lockChannel(ctx, channelId, transaction)
    const { [keyFingerprint]: state, ...others } = parseKeyStates(channel.key_states)
    if (channel.status !== channelStatus.enabled || state?.status !== channelStatus.autoDisabled) return null
    await setColumns(channelId, { key_states: JSON.stringify(others) }, transaction)
    const [subject, facts] = [`${channelId} ${keyFingerprint}`, { name: channel.name }]
    await reportEvent(ctx, { kind: 'key-enabled', subject, facts }, transaction)
    return channel
  })
  const text = { code: 'log.key_enabled', params: { key: keyFingerprint } } as const
  if (row) systemLog(ctx, { channelId, channelName: row.name, text })
  return row !== null
}

/** An enabled channel has no status reason: an old one would be shown again when it is disabled manually. */
export const onceEnabled = ({ clock }: Pick<Context, 'clock'>) => ({
  other_info: JSON.stringify({ enabled_at_ms: clock.now() } satisfies channelRoutes.ChannelInfo),
})

/** What is left of an enabled channel's information when it is saved: since when it is enabled. */
export const sinceEnabled = (channel: Pick<ChannelRow, 'other_info'>) => ({
  other_info: JSON.stringify({ enabled_at_ms: infoOf(channel)?.enabled_at_ms } satisfies channelRoutes.ChannelInfo),
})

const enabledAtMs = (channel: Pick<ChannelRow, 'other_info'>): number => infoOf(channel)?.enabled_at_ms ?? -Infinity

const infoOf = ({ other_info }: Pick<ChannelRow, 'other_info'>) =>
  channelRoutes.ChannelInfo.safeParse(parsedJson(other_info)).data

type KeyRow = Pick<ChannelRow, 'id' | 'type' | 'key_sealed' | 'key_states'>

/** For a channel that is enabled while all its keys are disabled: all of them are enabled, otherwise it could serve nothing. */
export function withUsableKeys(ctx: Pick<Context, 'seal'>, row: KeyRow): { key_states?: string } {
  return hasUsableKey(ctx, row, parseKeyStates(row.key_states)) ? {} : { key_states: '{}' }
}

/** Returns whether a key is left that is not disabled. */
function hasUsableKey(ctx: Pick<Context, 'seal'>, row: KeyRow, states: KeyStates): boolean {
  return openKeys(ctx, row).some((key) => (states[fingerprintOf(key)]?.status ?? 1) === channelStatus.enabled)
}

function setColumns(channelId: number, columns: Partial<ChannelRow>, transaction: Transaction) {
  return transaction.updateTable('channels').set(columns).where('id', '=', channelId).execute()
}
