import { logType, writeLogDetails } from '@tollgate/contract'
import type { Usage } from '@tollgate/dialects'

import type { CallMeasures, LogEntry } from '../../billing/ledger/ledger'
import { chargeDetails } from '../../billing/metering/charge-details'
import { cacheSavings, computeCharge, computeVendorCharge, type Charge } from '../../billing/pricing/charge'
import type { ServingMode } from '../../billing/pricing/variant'
import { modelName } from '../../channels/catalog/channel-keys'
import { joinedTexts } from '../../platform/telemetry/log-texts/stored-texts'
import type { Metered } from '../../billing/metering/meter'
import type { ChargedFacts } from '../../platform/telemetry/tracing/tracing'
import { requestedModelOf } from '../admission/model-choice'
import type { Channel } from '../../channels/catalog/catalog'
import { callFacts, upstreamRequestId, adminInfo } from '../call-log'
import type { Served } from './attempt'
import type { StreamEnding } from '../delivery/deliver-stream'
import { droppedParts } from '../delivery/dropped'
import { responseViewOf } from './meter'
import type { OpenResponse } from '../attempt/stream-opening'
import { reportCapped } from '../errors/report-failure'
import type { CallContext } from '../call-context'
import { servingCost, servingModeOf, servingPrice, withReportedTier } from '../pricing/call-price'

/**
 * Charges what a response used, and logs it. Resolves with the usage when the charge is durable.
 * @throws AppError when the ledger cannot charge.
 */
export async function settle(
  context: CallContext,
  served: Served<OpenResponse>,
  ending: StreamEnding,
  metered: Metered,
): Promise<Usage> {
  const { ctx } = context.deps
  const startedAt = ctx.clock.monotonic()
  const { response } = served
  const { dialect } = response.prepared.description
  const usage = withReportedTier(metered.usage, response.headers, dialect)
  const pinned = servingPrice(context, served.choice, response.prepared)
  const mode = servingModeOf(usage.details, dialect)
  const computed = computeCharge(pinned, usage, mode)
  const charge = isRefunded(computed, response, usage, ending) ? { ...computed, quota: 0 } : computed
  const { options } = context.call.catalog
  // When a vendor makes the calls of its batches says nothing of how fast it is.
  const isTimed = context.view.batchedAt !== 'vendor'
  const took = callFacts({ call: context.call, clock: ctx.clock })
  const facts = isTimed ? took : { ...took, use_time_ms: null }
  const servingInfo = servedInfo(context, served, usage, mode)
  const details = chargeDetails({
    price: pinned.price,
    usage,
    charge,
    firstTokenMs: isTimed ? response.firstByteMs : null,
    call: facts,
    estimated: metered.estimated,
    capped: metered.capped,
    isAnthropic: dialect === 'anthropic-messages',
    upstreamModel: response.prepared.isModelMapped ? response.prepared.upstreamModel : undefined,
    reasoningEffort: response.prepared.reasoningEffort,
    systemPrompt: response.prepared.systemPrompt,
    warnings: droppedParts(context, response),
    adminInfo: servingInfo,
    maxTokens: context.maxTokens,
    plan: payingPlan(context),
    requested: requestedModelOf(context.view.modelChoice),
    ending: ending === 'complete' ? undefined : ending,
  })
  const firstTokenMs = context.view.isStream ? response.firstByteMs : null
  const measures = measuresOf(facts.use_time_ms, firstTokenMs, charge, cacheSavings(computed))
  const entry = entryOf(context, served.choice.channel, usage, writeLogDetails(details), {
    measures,
    upstreamKey: served.choice.key.fingerprint,
    vendorCost: servingInfo.cost,
    vendorSaved: servingInfo.cost_saved,
  })
  await ctx.ledger.charge(context.reservation, { cost: charge.quota, entry, isLogged: options.LogConsumeEnabled })
  if (options.LogChatContentEnabled && options.LogConsumeEnabled)
    logTexts(context, responseViewOf(response).completionText(), entry.createdAt)
  context.timing.recordStage('settle', startedAt)
  context.call.trace?.recordCharge(chargedFacts(response, usage, ending))
  ctx.metrics.countCharge(usage, charge.quota, entry, servingInfo.cost)
  if (ending === 'complete' && isTimed) recordSpeed(context, served, usage)
  if (metered.capped) reportCapped(context, served.choice, metered.capped)
  return usage
}

/** Records how fast a whole response came, where the site has routing strategies. */
function recordSpeed(context: CallContext, { choice, response, record }: Served<OpenResponse>, usage: Usage) {
  const { call, deps } = context
  if (call.catalog.options.RoutingStrategies.length === 0) return
  const { clock, health } = deps.ctx
  const now = clock.monotonic()
  const startMs = Math.max(0, call.startedAt + response.firstByteMs - record.startedAt)
  const tokens = usage.completionTokens
  const isStream = response.kind === 'stream'
  health.standings.speeds.record(modelName(choice.channel.id, choice.model), {
    // A response in one piece takes as long as it is: what its tokens take says more.
    startMs: isStream || tokens === 0 ? startMs : null,
    tokens,
    tokenMs: isStream ? now - record.startedAt - startMs : startMs,
  })
}

/** Returns the name of the plan that pays instead of the wallet. */
export const payingPlan = ({ caller, reservation: { payer } }: CallContext): string | undefined =>
  payer.subscriptionId === undefined
    ? undefined
    : caller.plans.find(({ plan }) => plan.subscriptionId === payer.subscriptionId)?.plan.name

function servedInfo(context: CallContext, { choice, response }: Served<OpenResponse>, usage: Usage, mode: ServingMode) {
  const { headers, prepared } = response
  const cost = choice.ownLogin ? null : servingCost(context, choice, prepared)
  // Searches that are run here are not the vendor's.
  const ofVendor = response.searched ? { ...usage, toolCalls: { ...usage.toolCalls, webSearch: 0 } } : usage
  const charge = cost && computeVendorCharge(cost.pinned, ofVendor, mode)
  return Object.assign(adminInfo(context.records), {
    chosen_by: choice.chosenBy,
    upstream_dialect: prepared.description.dialect,
    upstream_request_id: upstreamRequestId(headers),
    // What the channel charged, so that the margin can be computed.
    cost: choice.ownLogin ? 0 : charge?.quota,
    cost_saved: charge ? cacheSavings(charge) || undefined : undefined,
    cost_kind: cost?.kind,
    cost_prices: charge ? charge.variant.distinctPrices : undefined,
    cost_factor: cost?.kind === 'factor' ? cost.pinned.price.groupRatio : undefined,
  })
}

/** A call at a fixed price costs nothing when its response is empty; a client that is gone before the response pays for it. */
const isRefunded = (
  { variant }: Charge,
  response: OpenResponse,
  { completionTokens }: Usage,
  ending: StreamEnding,
): boolean =>
  isByUnit(variant) &&
  ending !== 'abandoned' &&
  ending !== 'revoked' &&
  completionTokens === 0 &&
  responseViewOf(response).isEmpty

const isByUnit = ({ weights: { exact } }: Charge['variant']): boolean => exact.per_call > 0n || exact.per_image > 0n

const chargedFacts = (response: OpenResponse, usage: Usage, ending: StreamEnding): ChargedFacts => ({
  inputTokens: usage.promptTokens,
  outputTokens: usage.completionTokens,
  cachedTokens: usage.cachedTokens,
  firstByteMs: response.firstByteMs,
  ending,
  upstreamModel: response.prepared.upstreamModel,
  ...(response.kind === 'whole' && { responseBody: response.json }),
})

/**
 * Returns the measurements; the log row has the same values, so that metrics can be compared with the log. The time of the first token is
 * that of streams as the row knows them: one may be made of a whole response, and audio that comes as bytes is not one.
 */
const measuresOf = (
  wholeMs: number | null,
  firstTokenMs: number | null,
  { amounts: { cache_read: cacheRead } }: Charge,
  cacheSaved: number,
): CallMeasures => ({
  wholeMs,
  firstTokenMs,
  cachedTokens: cacheRead,
  cacheSaved,
})

/** What the row of a call keeps besides for the sums. */
type Measured = Pick<LogEntry, 'measures' | 'upstreamKey' | 'vendorCost' | 'vendorSaved'>

const unmeasured: Measured = {}

/** Returns the log row of a call. `channel`: where it was served; null: at none. */
export function entryOf(
  context: CallContext,
  channel: Pick<Channel, 'id' | 'name'> | null,
  usage: Usage,
  other: string,
  { measures, upstreamKey, vendorCost, vendorSaved }: Measured = unmeasured,
): LogEntry {
  const { call, caller, deps } = context
  const { clock } = deps.ctx
  return {
    createdAt: clock.seconds(),
    type: logType.consumption,
    userId: caller.account.id,
    username: caller.account.username,
    tokenId: caller.key?.id ?? 0,
    tokenName: caller.tokenName,
    // The name that the caller used and will search for, with the prefix by which channels offer the model.
    modelName: context.view.model,
    group: caller.group,
    channelId: channel?.id ?? 0,
    channelName: channel?.name ?? '',
    isStream: context.view.isStream,
    useTimeSeconds: Math.round((measures?.wholeMs ?? clock.monotonic() - call.startedAt) / 1000),
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    // The price is described from `other`, in the reader's language.
    content: '',
    clientIp: caller.account.isIpLogged ? call.clientIp : '',
    other,
    measures,
    upstreamKey,
    vendorCost,
    vendorSaved,
  }
}

/** Logs the conversation, for sites that want it: the last text is the question, those before it are its context. */
export function logTexts({ deps, call, view: { prompt } }: CallContext, output: string, createdAt: number) {
  deps.ctx.logTexts.add({
    requestId: call.requestId,
    createdAt,
    context: joinedTexts(prompt.texts.slice(0, -1)),
    input: prompt.texts.at(-1) ?? '',
    output,
  })
}
