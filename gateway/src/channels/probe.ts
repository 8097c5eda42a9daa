import { channelStatus, storedPhrase } from '@tollgate/contract'
import type { DialectId, JsonObject, Mode } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import { AppError } from '../app-error'
import type { Channel } from '../catalog/catalog'
import type { Context } from '../context'
import { mask } from '../mask'
import { sendOnce } from './calls/send-once'
import { disableChannel, enableChannel } from './channel-status'
import { systemLog } from './system-log'

export interface TestResult {
  readonly milliseconds: number
  /** Why it failed, without secrets; null when it did not. */
  readonly failure: string | null
}

const timeoutMs = 30_000

/**
 * Sends a short call through a channel and stores how long it took, also when it fails.
 * @throws AppError `channel.none`, `channel.key_needed`, `channel.test_unsupported`.
 */
export async function testChannel(ctx: Context, channelId: number, wantedModel?: string): Promise<TestResult> {
  const channel = ctx.catalog.current.channels.get(channelId)
  if (!channel) throw new AppError('channel.none')
  const key = channel.keys.find(({ isEnabled }) => isEnabled) ?? channel.keys[0]
  if (!key) throw new AppError('channel.key_needed')
  const model = testModelOf(channel, wantedModel)
  const probe = probeOf(channel, model)
  // Whether the channel works does not depend on the operator's prompt.
  const plain = { ...channel, systemPrompt: '' }
  const { error, milliseconds } = await sendOnce(ctx, { channel: plain, key, model, ...probe, timeoutMs })
  const failure = error && mask(error.message || `HTTP ${error.status}`, [key.value, ...error.secrets])
  await keepResult(ctx, channel, milliseconds)
  const seconds = (milliseconds / 1000).toFixed(2)
  systemLog(ctx, {
    channelId,
    channelName: channel.name,
    modelName: model,
    useTimeSeconds: Math.round(milliseconds / 1000),
    text: failure
      ? { code: 'log.test_failed', params: { reason: failure } }
      : { code: 'log.test_passed', params: { seconds } },
  })
  return { milliseconds, failure }
}

/** Returns the first that is set: the caller's, the channel's test model, its first model that a short call can test, its first model. */
function testModelOf(channel: Channel, wanted: string | undefined): string {
  const { modelPrefix: prefix } = channel
  if (wanted) return prefix !== '' && wanted.startsWith(prefix) ? wanted.slice(prefix.length) : wanted
  const testable = channel.models.find((model) => !makesVideos(model))
  return channel.testModel || (testable ?? channel.models[0] ?? 'gpt-4o-mini')
}

const namesOfVideo =
  /^(?:veo|sora|wan\d|wanx|happyhorse|kling|jimeng|vidu|hailuo|minimax-h)|seedance|hailuo|imagine-video/i

/** A video takes minutes and costs as much as hundreds of short calls, so no test makes one. */
const makesVideos = (model: string): boolean => modelOf(model)?.kind === 'video' || namesOfVideo.test(model)

interface Probe {
  readonly mode: Mode
  readonly dialect: DialectId
  readonly path: string
  readonly body: JsonObject
}

/** Names that reveal the kind of a model, for vendors whose models are of several kinds. */
const kinds: readonly (readonly [RegExp, Mode])[] = [
  [/rerank/i, 'rerank'],
  [/embed|^m3e|^bge-/i, 'embeddings'],
  [/moderation/i, 'moderation'],
  [/instruct$|^(davinci|babbage)-/i, 'completions'],
]

/** Reasoning counts as output, so a model that reasons needs room for it. */
const thinkingTokens = 50
const answerTokens = 10

/** Returns the shortest call that shows whether a model responds. @throws AppError `channel.test_unsupported`. */
function probeOf({ provider }: Channel, model: string): Probe {
  if (makesVideos(model)) throw new AppError('channel.test_unsupported')
  const { modes } = provider
  const named = kinds.find(([pattern, mode]) => modes[mode] && pattern.test(model))?.[1]
  const mode =
    named ?? (['chat', 'embeddings', 'completions', 'moderation', 'rerank'] as const).find((mode) => modes[mode])
  const max_tokens = /thinking/i.test(model) ? thinkingTokens : answerTokens
  switch (mode) {
    case 'chat': {
      const messages = [{ role: 'user', content: 'hi' }]
      const body = { model, messages, max_tokens, stream: false }
      return { mode, dialect: 'openai-chat', path: '/v1/chat/completions', body }
    }
    case 'completions':
      return {
        mode,
        dialect: 'openai-completions',
        path: '/v1/completions',
        body: { model, prompt: 'hi', max_tokens, stream: false },
      }
    case 'embeddings':
      return { mode, dialect: 'openai-embeddings', path: '/v1/embeddings', body: { model, input: ['hello world'] } }
    case 'moderation':
      return { mode, dialect: 'openai-moderations', path: '/v1/moderations', body: { model, input: 'hello world' } }
    case 'rerank':
      return { mode, dialect: 'rerank', path: '/v1/rerank', body: { model, query: 'hi', documents: ['hello world'] } }
    default:
      throw new AppError('channel.test_unsupported')
  }
}

const keepResult = (ctx: Context, channel: Channel, milliseconds: number) =>
  ctx.database.query
    .updateTable('channels')
    .set({ response_time: milliseconds, test_time: Math.floor(ctx.clock.now() / 1000) })
    .where('id', '=', channel.id)
    .execute()

/** Returns all channels except those disabled manually. */
export const testableChannels = (ctx: Context): number[] =>
  [...ctx.catalog.current.channels.values()]
    .filter(({ status }) => status !== channelStatus.disabled)
    .map(({ id }) => id)

/**
 * Tests one channel of a run over all: what fails or is too slow is disabled, what was disabled and works is enabled, each where the
 * options and the channel allow it. Resolves with whether the channel is fine.
 */
export async function watchChannel(ctx: Context, channelId: number): Promise<boolean> {
  const { channels, options } = ctx.catalog.current
  const channel = channels.get(channelId)
  if (!channel) return true
  const failure = await failureOf(ctx, channel, options.ChannelDisableThreshold)
  if (failure === null) {
    const isToEnable = channel.status === channelStatus.autoDisabled && options.AutomaticEnableChannelEnabled
    if (isToEnable) await enableChannel(ctx, channelId)
    return true
  }
  if (channel.isEnabled && channel.autoBan && options.AutomaticDisableChannelEnabled && failure.isBlamed) {
    await disableChannel(ctx, channelId, { reason: failure.reason })
  }
  return false
}

interface Failure {
  readonly reason: string
  /** False when the channel could not be tested at all. */
  readonly isBlamed: boolean
}

async function failureOf(ctx: Context, channel: Channel, thresholdSeconds: number): Promise<Failure | null> {
  try {
    const { failure, milliseconds } = await testChannel(ctx, channel.id)
    if (failure !== null) return { reason: failure, isBlamed: true }
    if (thresholdSeconds === 0 || milliseconds <= thresholdSeconds * 1000) return null
    const params = { seconds: (milliseconds / 1000).toFixed(2), limit: thresholdSeconds }
    return { reason: storedPhrase('status.too_slow', params), isBlamed: true }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { reason: error.code, isBlamed: false }
  }
}
