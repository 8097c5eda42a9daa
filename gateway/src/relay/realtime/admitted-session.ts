import { AppError } from '../../platform/app-error'
import { bodyOf } from '../../channels/calls/parsed-body'
import { chooseModel } from '../admission/model-choice'
import { admitCaller, admitModel } from '../stages/admit'
import type { Caller, IncomingCall, ModelCall } from '../call'
import { type RelayDeps, Timing } from '../call-context'
import { Departure } from '../departure'
import type { Endpoint } from '../stages/endpoint'
import type { SessionContext } from './hold'

/** Sessions of OpenAI's clients. */
export const realtimeEndpoint: Endpoint = {
  mode: 'realtime',
  dialect: 'openai-realtime',
  auth: 'key',
  body: 'json',
  kind: 'call',
  deferredBy: null,
}

/** Sessions of Google's clients. */
export const liveEndpoint: Endpoint = { ...realtimeEndpoint, mode: 'live', dialect: 'gemini-live' }

interface SessionTarget {
  readonly model: string
  readonly endpoint: Endpoint
}

/**
 * Returns a session that its caller may have, as far as that is known without a channel.
 * @throws AppError of the `key.` and `caller.` families, `request.model_missing`.
 */
export function admittedSession(
  incoming: IncomingCall,
  caller: Caller,
  { model, endpoint }: SessionTarget,
  deps: RelayDeps,
): SessionContext {
  const { ctx } = deps
  incoming.findings.model = model
  admitCaller(caller, incoming, ctx)
  if (model === '') throw new AppError('request.model_missing')
  admitModel(caller, model)
  const { model: served, modelChoice } = chooseModel(
    model,
    { caller, catalog: incoming.catalog, promptTokens: 0, has: () => false, sessionOf: () => null },
    ctx,
  )
  const pathContext = { model: served, isStream: true }
  const call: ModelCall = { ...incoming, dialect: endpoint.dialect, endpoint, pathContext }
  const departure = Departure.of(incoming.request.signal, caller.payer)
  return {
    deps,
    call,
    caller,
    departure,
    body: bodyOf({ model }),
    objects: null,
    turn: null,
    records: [],
    timing: new Timing(ctx, call.trace),
    ...(modelChoice && { modelChoice }),
  }
}
