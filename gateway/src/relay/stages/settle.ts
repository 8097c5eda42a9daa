import { logType, writeLogDetails } from '@tollgate/contract'
import type { Usage } from '@tollgate/dialects'

import type { CallMeasures, LogEntry } from '../../ledger/ledger'
import { chargeDetails } from '../../metering/charge-details'
import { cacheSavedBy, charged, chargedAsTold, type Charge } from '../../metering/price-book/charge'
import { shownPrices } from '../../metering/price-book/shown-price'
import type { ServedBy } from '../../metering/price-book/variant'
import { joinedTexts } from '../../log-texts/stored-texts'
import type { ChargedFacts } from '../../tracing/tracing'
import { adminInfo } from '../call-log/admin-info'
import type { Served } from './attempt'
import { callFacts, upstreamRequestId } from '../call-log/call-facts'
import type { StreamEnding } from '../delivery/deliver-stream'
import { meterAnswer, viewOf } from './meter'
import type { OpenAnswer } from '../attempt/opened-answer'
import { reportCapped } from '../errors/report-capped'
import type { Scene } from '../call-context'
import { servedBy } from '../pricing/pin-price'
import { servingCost, servingPrice, type ServingCost } from '../pricing/serving-price'

/**
 * Charge what an answer used, and log it. Resolves with the usage when the charge is durable.
 * @throws AppError when the ledger cannot charge.
 */
export async function settle(scene: Scene, served: Served<OpenAnswer>, ending: StreamEnding): Promise<Usage> {
  const { ctx } = scene.parts
  const startedAt = ctx.clock.monotonic()
  const { answer } = served
  const measured = meterAnswer(scene, answer, ending)
  const metered = measured instanceof Promise ? await measured : measured
  const { usage } = metered
  const pinned = servingPrice(scene, served.choice, answer.prepared)
  const way = servedBy(usage.details, answer.prepared.description.dialect)
  const full = charged(pinned, usage, way)
  const cost = isRefunded(full, answer, usage, ending) ? { ...full, quota: 0 } : full
  const { options } = scene.call.catalog
  const facts = callFacts(scene)
  const details = chargeDetails({
    price: pinned.price,
    usage,
    charge: cost,
    firstTokenMs: answer.firstByteMs,
    call: facts,
    estimated: metered.estimated,
    capped: metered.capped,
    isAnthropic: answer.prepared.description.dialect === 'anthropic-messages',
    upstreamModel: answer.prepared.isModelMapped ? answer.prepared.upstreamModel : undefined,
    reasoningEffort: answer.prepared.reasoningEffort,
    systemPrompt: answer.prepared.systemPrompt,
    warnings: warningsOf(scene, answer),
    adminInfo: servedInfo(scene, served, usage, way),
    maxTokens: scene.maxTokens,
    ending: ending === 'complete' ? undefined : ending,
  })
  const measures = measuresOf(facts.use_time_ms, answer, cost, cacheSavedBy(full))
  const entry = entryOf(scene, served, usage, writeLogDetails(details), measures)
  await ctx.ledger.charge(scene.reservation, { cost: cost.quota, entry, isLogged: options.LogConsumeEnabled })
  if (options.LogChatContentEnabled && options.LogConsumeEnabled) logTexts(scene, answer, entry.createdAt)
  scene.timing.spent('settle', startedAt)
  scene.call.trace?.charged(chargedFacts(answer, usage, ending))
  ctx.metrics.charged(usage, cost.quota)
  if (metered.capped) reportCapped(scene, served.choice, metered.capped)
  return usage
}

function servedInfo(scene: Scene, { choice, answer }: Served<OpenAnswer>, usage: Usage, way: ServedBy) {
  const { headers, prepared } = answer
  const cost = servingCost(scene, choice, prepared)
  const charge = cost && chargedAsTold(cost.pinned, usage, way)
  return Object.assign(adminInfo(scene.records), {
    upstream_dialect: prepared.description.dialect,
    upstream_request_id: upstreamRequestId(headers),
    ...(cost && charge && costInfo(cost, charge)),
  })
}

/** What the channel charged, so that the margin can be read. */
const costInfo = ({ kind, pinned: { price } }: ServingCost, { quota, variant }: Charge) => ({
  cost: quota,
  cost_kind: kind,
  cost_prices: shownPrices(variant),
  ...(kind === 'factor' && { cost_factor: price.groupRatio }),
})

/** What of the request could not be told the upstream, and the service tier that the site does not sell. */
function warningsOf({ askedTier, quote }: Scene, { prepared: { translated } }: OpenAnswer): readonly string[] {
  const warnings = translated?.warnings ?? []
  if (askedTier === null || quote.tier !== null) return warnings
  return [...warnings, `the service tier ${askedTier.slice(0, 64)}`]
}

/** A call at a fixed price costs nothing when its answer is empty; who leaves before the answer comes pays for it. */
const isRefunded = (
  { variant }: Charge,
  answer: OpenAnswer,
  { completionTokens }: Usage,
  ending: StreamEnding,
): boolean => isByUnit(variant) && ending !== 'abandoned' && completionTokens === 0 && viewOf(answer).isEmpty

const isByUnit = ({ weights: { exact } }: Charge['variant']): boolean => exact.per_call > 0n || exact.per_image > 0n

const chargedFacts = (answer: OpenAnswer, usage: Usage, ending: StreamEnding): ChargedFacts => ({
  inputTokens: usage.promptTokens,
  outputTokens: usage.completionTokens,
  cachedTokens: usage.cachedTokens,
  firstByteMs: answer.firstByteMs,
  ending,
  upstreamModel: answer.prepared.upstreamModel,
  ...(answer.kind === 'whole' && { answer: answer.json }),
})

/** The log row says the same: what was measured is compared with the log. */
const measuresOf = (
  wholeMs: number,
  answer: OpenAnswer,
  { amounts: { cache_read: cacheRead } }: Charge,
  cacheSaved: number,
): CallMeasures => ({
  wholeMs,
  firstTokenMs: answer.kind === 'whole' ? null : answer.firstByteMs,
  cachedTokens: cacheRead,
  cacheSaved,
})

function entryOf(
  scene: Scene,
  { choice }: Served<OpenAnswer>,
  usage: Usage,
  other: string,
  measures: CallMeasures,
): LogEntry {
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
    measures,
  }
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
