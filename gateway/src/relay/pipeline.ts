import { dialects } from '@tollgate/dialects'

import { bareModel } from '../routing/tiers'
import { admitModel, admitWords } from './stages/admit'
import { serve, noRouteError, withoutPrefix } from './stages/attempt'
import type { RouteRequest, WantedModel } from './attempt/route-request'
import type { ModelCall } from './call'
import { deliver } from './stages/deliver'
import { identify } from './admission/identify'
import { openAnswer } from './attempt/open-answer'
import { loweredOutput, quoteOf } from './stages/quote'
import { countSuccess, isLimited } from './admission/rate-limits'
import { reportFailure } from './errors/report-failure'
import type { RelayParts, Scene } from './call-context'
import { startTiming } from './timing'
import { viewOf } from './admission/call-view'

/**
 * One model call, from the request to the answer; a stream goes on by itself.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function relay(call: ModelCall, parts: RelayParts): Promise<Response> {
  const { ctx, limiter } = parts
  const { caller, rates, body } = await identify(call, parts)
  const view = viewOf(call, body)
  admitModel(caller, view.model)
  admitWords(call.catalog, view.prompt.texts)
  const { catalog } = call
  const { mode } = call.endpoint
  const model = billedModel({ caller, catalog, model: view.model, mode })
  const askedTier = dialects[call.dialect].tier?.read(body.json) ?? null
  const unixMs = ctx.clock.now()
  const quote = quoteOf({ model, view, mode, dialect: call.dialect, unixMs, tier: askedTier, caller, catalog })
  const reservation = await ctx.ledger.reserve(call.requestId, caller.payer, quote.want)
  const maxTokens = loweredOutput(quote, view, reservation)
  const timing = startTiming(ctx, call.trace)
  timing.spent('admit', call.startedAt)
  const scene: Scene = {
    parts,
    call,
    caller,
    body,
    view,
    model,
    quote,
    askedTier,
    reservation,
    maxTokens,
    records: [],
    timing,
  }
  call.trace?.admitted({ model, isStream: view.isStream, attempts: scene.records })
  const response = await answer(scene, {
    caller,
    catalog,
    model: view.model,
    mode,
    promptTokens: view.promptTokens,
    signal: call.request.signal,
    deadline: call.startedAt + ctx.config.requestTimeoutMs,
    unpriced: quote.offers.unpriced,
  })
  if (isLimited(rates)) await countSuccess(limiter, rates)
  return response
}

/** Returns the model without a channel's prefix. @throws AppError when no channel serves it. */
function billedModel(wanted: WantedModel): string {
  const { caller, catalog, model } = wanted
  const channel = caller.pinnedChannelId === null ? undefined : catalog.channels.get(caller.pinnedChannelId)
  if (channel) return withoutPrefix(model, channel)
  const bare = bareModel(catalog, caller.group, model)
  if (bare === null) throw noRouteError(wanted)
  return bare
}

/** Until something was delivered a failure gives the reservation back. */
async function answer(scene: Scene, wish: RouteRequest): Promise<Response> {
  const { ctx, keyTurns } = scene.parts
  let served
  try {
    served = await serve(
      wish,
      {
        open: (choice) => openAnswer(scene, choice),
        failed: (choice, error) => reportFailure(scene, choice, error),
      },
      scene.records,
      { clock: ctx.clock, random: ctx.random, health: ctx.health, metrics: ctx.metrics, keyTurns },
    )
  } catch (error) {
    ctx.ledger.release(scene.reservation)
    throw error
  }
  return deliver(scene, served)
}
