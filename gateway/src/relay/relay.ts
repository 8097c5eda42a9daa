import type { Context } from '../context'
import { bareModel } from '../routing/tiers'
import { admitCaller, admitModel, admitWords } from './admit'
import { serve, whyNobody, withoutPrefix, type RouteWish } from './attempts'
import { authenticate } from './authenticate'
import type { Caller, ModelCall } from './call'
import { deliver } from './deliver'
import { openAnswer } from './open-answer'
import { playgroundBody, playgroundCaller } from './playground'
import { quoteOf } from './quote'
import { checkRates, countSuccess, isLimited, rateRules } from './rate-limits'
import { readBody, type ParsedBody } from './read-body'
import { reportFailure } from './report-failure'
import type { RelayParts, Scene } from './scene'
import { startTiming } from './timing'
import { viewOf } from './view'

/**
 * One model call, from the request to the answer; a stream goes on by itself.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function relay(call: ModelCall, parts: RelayParts): Promise<Response> {
  const { ctx, limiter } = parts
  const { caller, body } = await identify(call, ctx)
  const view = viewOf(call, body.json)
  admitModel(caller, view.model)
  admitWords(call.catalog, view.prompt.texts)
  const rates = rateRules(caller, call.catalog.options)
  if (isLimited(rates)) await checkRates(limiter, rates)
  const wish = {
    caller,
    catalog: call.catalog,
    model: view.model,
    mode: call.endpoint.mode,
    promptTokens: view.promptTokens,
    signal: call.request.signal,
    deadline: call.startedAt + ctx.config.requestTimeoutMs,
  }
  const model = billedModel(wish)
  const { price, estimate } = quoteOf(model, view, caller, call.catalog)
  const reservation = await ctx.ledger.reserve(call.requestId, caller.payer, estimate)
  const timing = startTiming(ctx, call.trace)
  timing.spent('admit', call.startedAt)
  const scene: Scene = { parts, call, caller, body, view, model, price, reservation, records: [], timing }
  call.trace?.admitted({ model, isStream: view.isStream, attempts: scene.records })
  const response = await answer(scene, wish)
  if (isLimited(rates)) await countSuccess(limiter, rates)
  return response
}

/** Who calls, and what the body says. The playground names its group in the body; everyone else is checked before it is read. */
async function identify(call: ModelCall, ctx: Context): Promise<{ caller: Caller; body: ParsedBody }> {
  if (call.endpoint.caller === 'session') {
    const body = await readBody(call.request, ctx.config)
    const caller = await playgroundCaller(call, body.json, ctx)
    admitCaller(caller, call, ctx)
    return { caller, body: playgroundBody(body) }
  }
  const caller = await authenticate(call, ctx)
  admitCaller(caller, call, ctx)
  return { caller, body: await readBody(call.request, ctx.config) }
}

/** The model without a channel's prefix. @throws AppError when nobody serves it. */
function billedModel(wish: RouteWish): string {
  const { caller, catalog, model } = wish
  const channel = caller.pinnedChannelId === null ? undefined : catalog.channels.get(caller.pinnedChannelId)
  if (channel) return withoutPrefix(model, channel)
  const bare = bareModel(catalog, caller.group, model)
  if (bare === null) throw whyNobody(wish)
  return bare
}

/** Until something was delivered a failure gives the reservation back. */
async function answer(scene: Scene, wish: RouteWish): Promise<Response> {
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
