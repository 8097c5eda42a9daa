import { channelStatus, storedPhrase, type channelRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { fingerprintOf, openKeys, parseKeyStates, type KeyStates } from '../../channels/catalog/channel-keys'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { ChannelRow } from '../../platform/store/tables'
import { changeChannels, lockChannel } from '../../channels/change-channels'
import { channelEntity } from './channel-entity'
import { onceEnabled } from '../../channels/channel-status'
import { oneChannel } from './find-channels'

export interface KeyOrder {
  readonly channel_id: number
  readonly action: channelRoutes.KeyAction
  readonly fingerprint?: string
  readonly key_index?: number
}

/** A channel's keys in order with what is known about them. */
interface Keys {
  readonly values: readonly string[]
  readonly states: KeyStates
}

/**
 * Enables, disables or deletes keys. A channel whose last key is disabled is disabled with it, and one that was disabled after an error is
 * enabled again when it gets a key back.
 * @throws AppError `channel.none`, `channel.key_unknown`, `channel.key_last`.
 */
export async function manageKeys(ctx: Context, order: KeyOrder): Promise<channelRoutes.ChannelEntity> {
  if (order.action === 'get_key_status') return oneChannel(ctx, order.channel_id)
  const row = await changeChannels(ctx, async (transaction) => {
    const channel = await lockChannel(ctx, order.channel_id, transaction)
    const before = { values: openKeys(ctx, channel), states: parseKeyStates(channel.key_states) }
    return store(ctx, channel, before, changes[order.action](before, order, ctx.clock.seconds()), transaction)
  })
  return channelEntity(ctx, row)
}

type Change = (keys: Keys, order: KeyOrder, now: number) => Keys

const disabledByHand = (time: number) => ({ status: channelStatus.disabled, reason: '', time })

const changes: Record<channelRoutes.KeyAction, Change> = {
  get_key_status: (keys) => keys,
  enable_key: (keys, order) => ({ ...keys, states: without(keys.states, requireKey(keys, order)) }),
  disable_key: (keys, order, now) => ({
    ...keys,
    states: { ...keys.states, [requireKey(keys, order)]: disabledByHand(now) },
  }),
  delete_key: (keys, order) => {
    const fingerprint = requireKey(keys, order)
    return remaining(keys, (key) => fingerprintOf(key) !== fingerprint)
  },
  enable_all_keys: ({ values }) => ({ values, states: {} }),
  disable_all_keys: ({ values }, _, now) => ({
    values,
    states: Object.fromEntries(values.map((key) => [fingerprintOf(key), disabledByHand(now)])),
  }),
  delete_disabled_keys: (keys) => remaining(keys, (key) => isEnabled(keys, key)),
}

const isEnabled = ({ states }: Keys, key: string): boolean =>
  (states[fingerprintOf(key)]?.status ?? channelStatus.enabled) === channelStatus.enabled

const without = (states: KeyStates, fingerprint: string): KeyStates =>
  Object.fromEntries(Object.entries(states).filter(([name]) => name !== fingerprint))

/** A channel always keeps a key. */
function remaining(keys: Keys, isRetained: (key: string) => boolean): Keys {
  const values = keys.values.filter(isRetained)
  if (values.length === 0) throw new AppError('channel.key_last')
  const retained = new Set(values.map(fingerprintOf))
  return { values, states: Object.fromEntries(Object.entries(keys.states).filter(([name]) => retained.has(name))) }
}

function requireKey({ values }: Keys, { fingerprint, key_index: index }: KeyOrder): string {
  const key = values.find((value, position) =>
    fingerprint ? fingerprintOf(value) === fingerprint : position === index,
  )
  if (key === undefined) throw new AppError('channel.key_unknown')
  return fingerprintOf(key)
}

function store(ctx: Context, channel: ChannelRow, before: Keys, after: Keys, transaction: Transaction) {
  const hasUsable = after.values.some((key) => isEnabled(after, key))
  const { enabled, autoDisabled } = channelStatus
  const isGoingOut = !hasUsable && channel.status === enabled
  const isComingBack = hasUsable && channel.status === autoDisabled
  const info = { status_reason: storedPhrase('status.no_keys'), status_time: ctx.clock.seconds() }
  return transaction
    .updateTable('channels')
    .set({
      key_states: JSON.stringify(after.states),
      ...(after.values.length < before.values.length && {
        key_sealed: ctx.seal.seal(after.values.join(','), `channels.key_sealed#${channel.id}`),
      }),
      ...(isGoingOut && { status: autoDisabled, other_info: JSON.stringify(info) }),
      ...(isComingBack && { status: enabled, ...onceEnabled(ctx) }),
    })
    .where('id', '=', channel.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
