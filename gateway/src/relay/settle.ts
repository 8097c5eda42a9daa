import { logType } from '@tollgate/contract'
import { noUsage, type Usage } from '@tollgate/dialects'

import { AppError } from '../app-error'
import type { LogEntry } from '../ledger/ledger'
import { costOf } from '../metering/cost'
import { joinedTexts } from '../log-texts/stored-texts'
import { logOther } from '../metering/log-other'
import type { Price } from '../metering/price'
import { countCompletionTokens, countPromptTokens } from '../metering/tokens'
import type { ChargedFacts } from '../tracing/tracing'
import { adminInfo } from './admin-info'
import type { Served } from './attempts'
import type { StreamEnding } from './deliver-stream'
import type { OpenAnswer } from './open-answer'
import type { Scene } from './scene'

interface Metered {
  readonly usage: Usage
  /** The upstream reported none; it was counted here. */
  readonly isEstimated: boolean
}

/**
 * Charge what an answer used, and log it. Resolves with the usage when the charge is durable.
 * @throws AppError when the ledger cannot charge.
 */
export async function settle(scene: Scene, served: Served<OpenAnswer>, ending: StreamEnding): Promise<Usage> {
  const { ctx } = scene.parts
  const startedAt = ctx.clock.monotonic()
  const metered = meter(scene, served.answer, ending)
  const { usage, isEstimated } = metered instanceof Promise ? await metered : metered
  const price = priceOf(scene, served)
  const cost = costOf(price, usage)
  const { answer } = served
  const { options } = scene.call.catalog
  const other = logOther({
    price,
    usage,
    parts: cost.parts,
    firstTokenMs: answer.firstByteMs,
    isEstimated,
    upstreamModel: answer.prepared.isModelMapped ? answer.prepared.upstreamModel : undefined,
    reasoningEffort: answer.prepared.reasoningEffort,
    systemPrompt: answer.prepared.systemPrompt,
    warnings: answer.prepared.translated?.warnings,
    adminInfo: adminInfo(scene.records),
    maxTokens: scene.maxTokens,
    ending: ending === 'complete' ? undefined : ending,
  })
  const entry = entryOf(scene, served, usage, other)
  await ctx.ledger.charge(scene.reservation, { cost: cost.quota, entry, isLogged: options.LogConsumeEnabled })
  if (options.LogChatContentEnabled && options.LogConsumeEnabled) logTexts(scene, answer, entry.createdAt)
  scene.timing.spent('settle', startedAt)
  scene.call.trace?.charged(chargedFacts(answer, usage, ending))
  ctx.metrics.charged(usage, cost.quota)
  return usage
}

const chargedFacts = (answer: OpenAnswer, usage: Usage, ending: StreamEnding): ChargedFacts => ({
  inputTokens: usage.promptTokens,
  outputTokens: usage.completionTokens,
  cachedTokens: usage.cachedTokens,
  firstByteMs: answer.firstByteMs,
  ending,
  upstreamModel: answer.prepared.upstreamModel,
  ...(answer.kind === 'whole' && { answer: answer.json }),
})

/** What the upstream reported, else what is counted here. */
function meter(scene: Scene, answer: OpenAnswer, ending: StreamEnding): Metered | Promise<Metered> {
  const { usage } = viewOf(answer)
  if (usage) return { usage, isEstimated: false }
  // The upstream broke off before it said anything: the client got nothing for its money.
  if (ending === 'broken' && viewOf(answer).isEmpty) return { usage: noUsage, isEstimated: true }
  return counted(scene, answer)
}

const viewOf = (answer: OpenAnswer) => (answer.kind === 'whole' ? answer.view : answer.tap)

async function counted({ view, model }: Scene, answer: OpenAnswer): Promise<Metered> {
  const said = viewOf(answer)
  const promptTokens = await countPromptTokens(view.prompt, model)
  const completionTokens = await countCompletionTokens(said.completionText(), said.toolCalls, model)
  return { usage: { ...noUsage, promptTokens, completionTokens }, isEstimated: true }
}

function entryOf(scene: Scene, { choice }: Served<OpenAnswer>, usage: Usage, other: string): LogEntry {
  const { call, caller, parts } = scene
  const { clock } = parts.ctx
  return {
    createdAt: Math.floor(clock.now() / 1000),
    type: logType.consumption,
    userId: caller.account.id,
    username: caller.account.username,
    tokenId: caller.key?.id ?? 0,
    tokenName: caller.tokenName,
    // The name the caller used and will look for, with the prefix by which channels offer the model.
    modelName: scene.view.model,
    group: caller.group,
    channelId: choice.channel.id,
    channelName: choice.channel.name,
    isStream: scene.view.isStream,
    useTimeSeconds: Math.round((clock.monotonic() - call.startedAt) / 1000),
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    // The price in words is told from `other`, in the language of whoever reads it.
    content: '',
    clientIp: caller.account.isIpLogged ? call.clientIp : '',
    other,
  }
}

/** The price of the channel that served: channels may give one name to models of different price. */
function priceOf({ quote, model }: Scene, { choice }: Pick<Served<OpenAnswer>, 'choice'>): Price {
  const price = quote.offers.priceAt(choice.channel)
  if (price === null) throw new AppError('model.unpriced', { params: { model } })
  return price
}

/** What was said, for sites that log it: the last text is what was asked, those before it are its context. */
function logTexts({ parts, call, view: { prompt } }: Scene, answer: OpenAnswer, createdAt: number) {
  parts.ctx.logTexts.add({
    requestId: call.requestId,
    createdAt,
    context: joinedTexts(prompt.texts.slice(0, -1)),
    input: prompt.texts.at(-1) ?? '',
    output: viewOf(answer).completionText(),
  })
}
