import { channelStatus, storedPhrase, type OptionValues } from '@tollgate/contract'

import { AppError } from '../platform/app-error'
import type { Channel, ChannelKey } from './catalog/catalog'
import { parseKeyStates } from './catalog/channel-keys'
import type { Context } from '../context'
import { classifyFailure, weightOf } from './calls/classify-failure'
import { disableChannel, enableChannel, enableKey } from './channel-status'
import { cheapModels, testModel, type TestResult } from './probe'

/** Returns all channels except those disabled manually. */
export const testableChannels = (ctx: Context): number[] =>
  [...ctx.catalog.current.channels.values()]
    .filter(({ status }) => status !== channelStatus.disabled)
    .map(({ id }) => id)

/** `untestable`: no call can tell, or the upstream refused this call as such. `busy`: it serves others now. */
type Finding =
  | { readonly kind: 'serves' | 'untestable' | 'busy' }
  | {
      readonly kind: 'fails'
      readonly reason: string
      /** Set when the key is to blame. */
      readonly keyFingerprint?: string
      /** The next call would fail as well. */
      readonly isCertain: boolean
    }

/** Calls that must fail before a channel is disabled: a tenth of them fail at a vendor that serves. */
const confirmations = 3
/** Disabled keys that one run asks. */
const maxKeys = 20

/**
 * Tests one channel of a run over all: what fails or is too slow is disabled, what was disabled and works is enabled, each where the
 * options and the channel allow it. What no call can test is neither disabled nor kept disabled. `goOn` is called between calls and ends
 * the test where it resolves with false. Resolves with whether the channel is fine.
 */
export async function testAndSwitchChannel(
  ctx: Context,
  channelId: number,
  mayContinue: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { channels, options } = ctx.catalog.current
  const channel = channels.get(channelId)
  if (!channel) return true
  if (!channel.isEnabled) return revive(ctx, channel, mayContinue)
  const finding = await testModels(ctx, channel, mayContinue)
  if (finding.kind === 'fails' && channel.autoBan && options.AutomaticDisableChannelEnabled) {
    await disableChannel(ctx, channelId, finding)
  }
  if (options.AutomaticEnableChannelEnabled) await reviveKeys(ctx, channel, mayContinue)
  return finding.kind !== 'fails'
}

/** Tests several models of an enabled channel, until one serves or all have failed. */
async function testModels(ctx: Context, channel: Channel, mayContinue: () => Promise<boolean>): Promise<Finding> {
  const key = channel.keys.find(({ isEnabled }) => isEnabled)
  const models = cheapModels(channel, confirmations)
  if (!key || models.length === 0) return { kind: 'untestable' }
  let found: Finding = { kind: 'untestable' }
  for (let turn = 0; turn < confirmations; turn += 1) {
    if (turn > 0 && !(await mayContinue())) return { kind: 'untestable' }
    const finding = await findingOf(ctx, channel, key, models[turn % models.length] ?? '')
    if (finding.kind === 'serves' || finding.kind === 'busy') return finding
    if (finding.kind === 'fails' && finding.isCertain) return finding
    found = turn === 0 || finding.kind === 'untestable' ? finding : found
  }
  return found
}

/** Enables a disabled channel if one of its keys serves. */
async function revive(ctx: Context, channel: Channel, mayContinue: () => Promise<boolean>): Promise<boolean> {
  const [model] = cheapModels(channel, 1)
  let finding: Finding = { kind: 'untestable' }
  for (const [turn, key] of inTurn(ctx, channel.keys).entries()) {
    if (model === undefined || (turn > 0 && !(await mayContinue()))) break
    finding = await findingOf(ctx, channel, key, model)
    if (finding.kind === 'serves' || finding.kind === 'untestable') break
  }
  const isBack = finding.kind === 'serves' || finding.kind === 'untestable'
  if (isBack && ctx.catalog.current.options.AutomaticEnableChannelEnabled) await enableChannel(ctx, channel.id)
  return finding.kind !== 'fails'
}

/** Enables those keys of an enabled channel that were disabled after an error and serve again. */
async function reviveKeys(ctx: Context, channel: Channel, mayContinue: () => Promise<boolean>): Promise<void> {
  if (channel.keys.every(({ isEnabled }) => isEnabled)) return
  const row = await ctx.database.query
    .selectFrom('channels')
    .select('key_states')
    .where('id', '=', channel.id)
    .executeTakeFirst()
  const states = parseKeyStates(row?.key_states ?? '')
  const [model] = cheapModels(channel, 1)
  const disabled = channel.keys.filter(({ fingerprint }) => states[fingerprint]?.status === channelStatus.autoDisabled)
  for (const key of inTurn(ctx, disabled)) {
    if (!(await mayContinue())) return
    const { kind } = model === undefined ? ({ kind: 'untestable' } as const) : await findingOf(ctx, channel, key, model)
    if (kind === 'serves' || kind === 'untestable') await enableKey(ctx, channel.id, key.fingerprint)
  }
}

/** Returns as many as one run asks, beginning with another one each minute. */
function inTurn(ctx: Context, keys: readonly ChannelKey[]): readonly ChannelKey[] {
  if (keys.length <= maxKeys) return keys
  const first = (Math.floor(ctx.clock.now() / 60_000) * maxKeys) % keys.length
  return [...keys.slice(first), ...keys.slice(0, first)].slice(0, maxKeys)
}

async function findingOf(ctx: Context, channel: Channel, key: ChannelKey, model: string): Promise<Finding> {
  try {
    return assessResult(await testModel(ctx, channel, { key, model }), key, ctx.catalog.current.options)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'untestable' }
  }
}

function assessResult({ error, failure, milliseconds }: TestResult, key: ChannelKey, options: OptionValues): Finding {
  if (error) {
    const failureClass = classifyFailure(error, options)
    const isCertain = weightOf(error, failureClass) === Infinity
    const reason = failure ?? ''
    if (failureClass === 'key' && error.status === 429 && !isCertain) return { kind: 'busy' }
    if (failureClass === 'key') return { kind: 'fails', reason, isCertain, keyFingerprint: key.fingerprint }
    // A 404 that names no model is the wrong address.
    if (failureClass === 'channel' || (failureClass === 'model' && error.status === 404 && !isCertain))
      return { kind: 'fails', reason, isCertain }
    return { kind: 'untestable' }
  }
  const limit = options.ChannelDisableThreshold
  if (limit === 0 || milliseconds <= limit * 1000) return { kind: 'serves' }
  const reason = storedPhrase('status.too_slow', { seconds: (milliseconds / 1000).toFixed(2), limit })
  return { kind: 'fails', reason, isCertain: false }
}
