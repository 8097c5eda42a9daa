import { AppError } from '../platform/app-error'
import type { Channel, ChannelKey } from './catalog/catalog'
import type { Context } from '../context'
import { mask } from '../platform/text/mask'
import { sendOnce } from './calls/send-once'
import type { UpstreamError } from './calls/upstream-error'
import { isCheap, probeOf } from './probe-call'
import { systemLog } from '../billing/ledger/event-logs'

export interface TestResult {
  readonly milliseconds: number
  /** Why it failed, without secrets; null when it did not. */
  readonly failure: string | null
  readonly error: UpstreamError | null
}

const timeoutMs = 30_000

/**
 * Sends a short call through a channel and stores how long it took, and why it failed where it did.
 * @throws AppError `channel.none`, `channel.key_needed`, `channel.test_unsupported`.
 */
export async function testChannel(ctx: Context, channelId: number, requestedModel?: string): Promise<TestResult> {
  const channel = ctx.catalog.current.channels.get(channelId)
  if (!channel) throw new AppError('channel.none')
  const key = channel.keys.find(({ isEnabled }) => isEnabled) ?? channel.keys[0]
  if (!key) throw new AppError('channel.key_needed')
  return testModel(ctx, channel, { key, model: testModelOf(channel, requestedModel) })
}

/**
 * The same with one key and one model.
 * @throws AppError `channel.test_unsupported`.
 */
export async function testModel(
  ctx: Context,
  channel: Channel,
  { key, model }: { readonly key: ChannelKey; readonly model: string },
): Promise<TestResult> {
  const probe = probeOf(channel, model)
  if (!probe) throw new AppError('channel.test_unsupported')
  // Whether the channel works does not depend on the operator's prompt.
  const plain = { ...channel, systemPrompt: '' }
  const { error, milliseconds } = await sendOnce(ctx, { channel: plain, key, model, ...probe, timeoutMs })
  const failure = error && mask(error.message || `HTTP ${error.status}`, [key.value, ...error.secrets])
  await keepResult(ctx, channel, { milliseconds, failure })
  const seconds = (milliseconds / 1000).toFixed(2)
  systemLog(ctx, {
    channelId: channel.id,
    channelName: channel.name,
    modelName: model,
    useTimeSeconds: Math.round(milliseconds / 1000),
    text: failure
      ? { code: 'log.test_failed', params: { reason: failure } }
      : { code: 'log.test_passed', params: { seconds } },
  })
  return { milliseconds, failure, error }
}

/** Returns the first that is set: the caller's, the channel's test model, its first model that a cheap call can test, its first model. */
function testModelOf(channel: Channel, requested: string | undefined): string {
  const { modelPrefix: prefix } = channel
  if (requested) return prefix !== '' && requested.startsWith(prefix) ? requested.slice(prefix.length) : requested
  return channel.testModel || (cheapModels(channel, 1)[0] ?? channel.models[0] ?? 'gpt-4o-mini')
}

/** Returns models of a channel that cost next to nothing to test, its test model first. */
export function cheapModels({ testModel: first, models, ...channel }: Channel, count: number): string[] {
  const found: string[] = []
  for (const model of new Set(first ? [first, ...models] : models)) {
    if (found.length >= count) break
    const probe = probeOf(channel, model)
    if (probe && isCheap(probe)) found.push(model)
  }
  return found
}

const maxFailureLength = 1000

const keepResult = (ctx: Context, channel: Channel, { milliseconds, failure }: Omit<TestResult, 'error'>) =>
  ctx.database.query
    .updateTable('channels')
    .set({
      response_time: milliseconds,
      test_time: ctx.clock.seconds(),
      test_failure: failure?.slice(0, maxFailureLength) ?? '',
    })
    .where('id', '=', channel.id)
    .execute()
