import { logType, writeLogDetails } from '@tollgate/contract'

import type { Choice } from '../../channels/catalog/catalog'
import type { Prepared } from '../../channels/calls/prepare'
import type { LogEntry, Reservation } from '../../billing/ledger/ledger'
import { chargeDetails } from '../../billing/metering/charge-details'
import type { Metered } from '../../billing/metering/meter'
import { cacheSavings, computeCharge, computeVendorCharge } from '../../billing/pricing/charge'
import type { PinnedPrice } from '../../billing/pricing/price'
import type { ModelChoice } from '../admission/call-view'
import { requestedModelOf } from '../admission/model-choice'
import { adminInfo } from '../call-log'
import { reportCapped } from '../errors/report-failure'
import type { ServingCost } from '../pricing/call-price'
import type { CallContext } from '../call-context'

/** The channel that serves a session. */
export interface ServedBy {
  readonly choice: Choice
  readonly prepared: Prepared
}

/** A charged part of a session: a response, or a transcription of the input. */
export interface Use {
  readonly context: Pick<CallContext, 'deps' | 'call' | 'caller' | 'records'>
  readonly reservation: Reservation
  readonly served: ServedBy
  /** As the caller names it. */
  readonly model: string
  readonly price: PinnedPrice
  /** What the channel charges; null where that is not known. */
  readonly cost: ServingCost | null
  readonly metered: Metered
  /** How the session came to the model. Absent: it is the one that was named. */
  readonly modelChoice?: ModelChoice | undefined
  /** The upstream's name for the model, where it was mapped. */
  readonly upstreamModel?: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** Null if no output came before the end. */
  readonly firstOutputMs: number | null
  /** The upstream's own name for it; empty where it has none. */
  readonly upstreamId: string
  /** Input and output, for sites that log conversations. */
  readonly texts?: { readonly input: string; readonly output: string }
  /** Set when it ended before it was complete. */
  readonly ending?: 'abandoned' | 'broken'
}

/** Charges a use and logs it. Resolves when the charge is durable. @throws AppError when the ledger cannot charge. */
export async function chargeUse(use: Use): Promise<void> {
  const { context, metered, price, reservation, served } = use
  const { ctx } = context.deps
  const { usage } = metered
  const cost = computeCharge(price, usage)
  const tookMs = Math.round(ctx.clock.monotonic() - use.startedAt)
  const adminInfo = adminOf(use)
  const details = chargeDetails({
    price: price.price,
    usage,
    charge: cost,
    firstTokenMs: use.firstOutputMs,
    call: { use_time_ms: tookMs, dialect: context.call.dialect, endpoint: context.call.path },
    estimated: metered.estimated,
    capped: metered.capped,
    requested: requestedModelOf(use.modelChoice),
    upstreamModel: use.upstreamModel,
    adminInfo,
    ending: use.ending,
  })
  const measures = {
    wholeMs: tookMs,
    firstTokenMs: use.firstOutputMs,
    cachedTokens: cost.amounts.cache_read + cost.amounts.cache_read_audio,
    cacheSaved: cacheSavings(cost),
  }
  const other = writeLogDetails({ ...details, ws: true })
  const { cost: vendorCost, cost_saved: vendorSaved } = adminInfo
  const entry = { ...entryOf(use, tookMs), other, measures, vendorCost, vendorSaved }
  await ctx.ledger.charge(reservation, {
    cost: cost.quota,
    entry,
    isLogged: context.call.catalog.options.LogConsumeEnabled,
  })
  if (use.texts) logTexts(use, use.texts, entry.createdAt)
  ctx.metrics.countCharge(usage, cost.quota, entry, adminInfo.cost)
  if (metered.capped) reportCapped(context, served.choice, metered.capped)
}

function logTexts({ context: { deps, call } }: Use, texts: NonNullable<Use['texts']>, createdAt: number): void {
  const { LogChatContentEnabled, LogConsumeEnabled } = call.catalog.options
  if (!LogChatContentEnabled || !LogConsumeEnabled) return
  deps.ctx.logTexts.add({ requestId: call.requestId, createdAt, context: '', ...texts })
}

function adminOf({ context, served, cost, metered: { usage }, upstreamId }: Use) {
  const charge = cost && computeVendorCharge(cost.pinned, usage)
  return {
    ...adminInfo(context.records),
    chosen_by: served.choice.chosenBy,
    upstream_dialect: served.prepared.description.dialect,
    upstream_request_id: upstreamId || undefined,
    ...(cost &&
      charge && {
        cost: charge.quota,
        cost_saved: cacheSavings(charge) || undefined,
        cost_kind: cost.kind,
        cost_prices: charge.variant.distinctPrices,
        ...(cost.kind === 'factor' && { cost_factor: cost.pinned.price.groupRatio }),
      }),
  }
}

function entryOf(
  { context, served: { choice }, model, metered: { usage } }: Use,
  tookMs: number,
): Omit<LogEntry, 'other' | 'measures'> {
  const { call, caller, deps } = context
  return {
    createdAt: deps.ctx.clock.seconds(),
    type: logType.consumption,
    userId: caller.account.id,
    username: caller.account.username,
    tokenId: caller.key?.id ?? 0,
    tokenName: caller.tokenName,
    modelName: model,
    group: caller.group,
    channelId: choice.channel.id,
    channelName: choice.channel.name,
    isStream: true,
    useTimeSeconds: Math.round(tookMs / 1000),
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    content: '',
    clientIp: caller.account.isIpLogged ? call.clientIp : '',
    upstreamKey: choice.key.fingerprint,
  }
}
