import { writeLogDetails } from '@tollgate/contract'
import { dialects, isObject } from '@tollgate/dialects'

import { chargeDetails } from '../../billing/metering/charge-details'
import { computeCharge, computeVendorCharge } from '../../billing/pricing/charge'
import type { Channel } from '../../channels/catalog/catalog'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import { parsedJson } from '../../platform/text/parsed-json'
import { requestedModelOf } from '../admission/model-choice'
import { responseKey } from '../response-cache/response-key'
import { ResponseRecording } from '../response-cache/response-recording'
import { cacheHeader, cachingOf } from '../response-cache/caching'
import { printOf, readStoredFacts, type StoredFacts } from '../response-cache/stored-facts'
import type { CallContext } from '../call-context'
import { adminInfo, callFacts } from '../call-log'
import { relayResponse, streamHeaders } from '../delivery/response-headers'
import { servingCost, servingModeOf, servingPrice } from '../pricing/call-price'
import { gatewayHeaders } from './deliver'
import { entryOf, logTexts, payingPlan } from './settle'

/** A response that was kept, and may be given again to this call. */
interface Hit {
  readonly facts: StoredFacts
  readonly body: Uint8Array
  /** Whole seconds. */
  readonly age: number
  /** Where it came from. The call might have gone there too. */
  readonly channel: Channel
}

/** Runs an admitted call. A recording is told of its response. */
type Serve = (context: CallContext, recording?: ResponseRecording) => Promise<Response>

/**
 * Responses an admitted call from the response cache, or serves it and keeps its response. On a site without a cache it looks at one option.
 * @throws what `serve` throws; AppError when the ledger cannot charge.
 */
export async function recallOr(serve: Serve, context: CallContext): Promise<Response> {
  const caching = cachingOf(context)
  if (caching === null) return serve(context)
  const { seal, metrics } = context.deps.ctx
  const key = responseKey(context, seal)
  const hit = caching.mayFind ? await find(key, context) : null
  if (hit) return recall(hit, context)
  metrics.responseCache.countMiss()
  return serveAndKeep(serve, context, new ResponseRecording(context, caching, key))
}

async function serveAndKeep(serve: Serve, context: CallContext, recording: ResponseRecording): Promise<Response> {
  const response = await serve(context, recording)
  response.headers.set(cacheHeader, 'miss')
  if (context.view.isStream) return response
  const bytes = await response.bytes()
  recording.add(bytes)
  recording.end(response.headers.get('content-type') ?? '')
  return new Response(bytes, response)
}

/** Resolves with a response that a channel gave to the same call and would give again; null where there is none. */
async function find(key: string, context: CallContext): Promise<Hit | null> {
  const { responses, clock } = context.deps.ctx
  const stored = await responses.find(key)
  const facts = stored && readStoredFacts(stored.facts)
  if (!facts || facts.isStream !== context.view.isStream) return null
  const channel = servingChannel(facts, context)
  return (
    channel && { facts, channel, body: stored.body, age: Math.max(0, Math.floor((clock.now() - facts.keptAt) / 1000)) }
  )
}

/** Returns the channel that a response came from; null where it serves this call no more, or would be asked something else. */
function servingChannel({ channelId, channelPrint, upstreamModel }: StoredFacts, context: CallContext): Channel | null {
  const { call, caller, view, quote } = context
  for (const { candidates } of priorityLevelsOf(call.catalog, caller.group, view.model))
    for (const { channel, model } of candidates) {
      if (channel.id !== channelId) continue
      const isSame = (channel.modelMapping.get(model) ?? model) === upstreamModel
      const isPriced = quote.prices.priceAt(channel) !== null
      return isSame && isPriced && printOf(channel, upstreamModel, call) === channelPrint ? channel : null
    }
  return null
}

/** Charges a response from the cache, then delivers it. */
async function recall(hit: Hit, context: CallContext): Promise<Response> {
  try {
    await settleHit(hit, context)
    return deliverCached(context, hit)
  } finally {
    context.body.room?.[Symbol.dispose]()
  }
}

/** Charges a response from the cache: its price at the channel that it came from, times the factor of the site. */
async function settleHit(hit: Hit, context: CallContext): Promise<void> {
  const { facts, channel, age } = hit
  const { ctx } = context.deps
  const { call, reservation } = context
  const { options } = call.catalog
  const startedAt = ctx.clock.monotonic()
  const { usage, dialect, upstreamModel, serviceTier } = facts
  const terms = { serviceTier, upstreamModel, description: { dialect } }
  const pinned = servingPrice(context, { channel }, terms)
  const mode = servingModeOf(usage.details, dialect)
  const charge = computeCharge(pinned, usage, mode)
  const factor = options.ResponseCachePriceFactor
  const quota = Math.round(charge.quota * factor)
  const details = chargeDetails({
    price: pinned.price,
    usage,
    charge,
    firstTokenMs: null,
    call: callFacts({ call, clock: ctx.clock }),
    ...(facts.estimated !== undefined && { estimated: facts.estimated }),
    isAnthropic: dialect === 'anthropic-messages',
    warnings: facts.dropped,
    adminInfo: { ...adminInfo([]), upstream_dialect: dialect, cost: 0, cached_from: channel.id },
    maxTokens: context.maxTokens,
    plan: payingPlan(context),
    requested: requestedModelOf(context.view.modelChoice),
  })
  const cached = { cached_age: age, cached_quota: charge.quota, cached_factor: factor }
  // It was served by no channel: neither its spending nor its times are those of one.
  const entry = { ...entryOf(context, null, usage, writeLogDetails({ ...details, ...cached })), vendorCost: 0 }
  await ctx.ledger.charge(reservation, { cost: quota, entry, isLogged: options.LogConsumeEnabled })
  if (options.LogChatContentEnabled && options.LogConsumeEnabled)
    logTexts(context, textOf(hit, context), entry.createdAt)
  context.timing.recordStage('settle', startedAt)
  ctx.metrics.countCharge(usage, quota, entry)
  const cost = servingCost(context, { channel }, terms)
  const vendorCost = cost ? computeVendorCharge(cost.pinned, usage, mode).quota : 0
  ctx.metrics.responseCache.countHit({ price: charge.quota - quota, vendorCost })
}

/** Returns a response from the cache with the bytes that its first client got; a stream comes at once. */
function deliverCached(context: CallContext, { facts, body, age }: Hit): Response {
  const own = gatewayHeaders(context, facts.dropped, context.timing.ownMs)
  own[cacheHeader] = 'hit'
  // https://www.rfc-editor.org/rfc/rfc9111#section-5.1
  own['age'] = String(age)
  const headers = facts.isStream ? streamHeaders(own) : own
  return relayResponse(Buffer.from(body), { ...headers, 'content-type': facts.contentType })
}

/** Returns the text of a kept response, for sites that log conversations. */
function textOf({ facts, body }: Hit, { call: { dialect } }: CallContext): string {
  if (facts.isStream) {
    const tap = dialects[dialect].createTap({ swallowUsage: false, addUsage: false })
    tap.push(body)
    tap.end()
    return tap.completionText()
  }
  const json = parsedJson(Buffer.from(body).toString())
  return isObject(json) ? dialects[dialect].readAnswer(json).completionText() : ''
}
