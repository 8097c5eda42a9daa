import type { ParsedBody } from '../../channels/calls/parsed-body'
import { admitCaller, admitModel } from '../admission/admit-caller'
import { viewOf, type CallView } from '../admission/call-view'
import { playgroundBody, playgroundCaller } from '../admission/playground'
import { checkRates, type RateRules } from '../admission/rate-limits'
import { readFormBody, readFormOrJsonBody, readJsonBody, type BodyReader } from '../admission/read-body'
import { readRecording } from '../admission/read-recording'
import { isLargeBody, requireBalance } from '../admission/require-balance'
import type { Caller, ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import type { Room } from '../../http/limits/byte-budget'
import type { Context } from '../../context'
import { servedName } from '../../channels/routing/tiers'

/** An admitted call: its caller, its limits and its body. */
export interface Admitted {
  readonly caller: Caller
  readonly rates: RateRules
  readonly body: ParsedBody
}

/** A caller, and the memory of the call. */
interface Admittable {
  readonly caller: Caller
  readonly room: Room
}

/**
 * Refuses callers who may not call, before any of the body is read: reading and parsing a body has its cost. Resolves with the body of
 * those who may.
 * @throws AppError, DialectError
 */
export const admit = (call: ModelCall, asking: Admittable, deps: RelayDeps): Promise<Admitted> =>
  admissions[call.endpoint.caller](call, asking, deps)

type Admission = (call: ModelCall, asking: Admittable, deps: RelayDeps) => Promise<Admitted>

const admissions: Readonly<Record<ModelCall['endpoint']['caller'], Admission>> = {
  key: admitKey,
  session: admitSession,
}

async function admitKey(call: ModelCall, { caller, room }: Admittable, deps: RelayDeps): Promise<Admitted> {
  const { ctx } = deps
  admitCaller(caller, call, ctx)
  const rates = await checkRates(call, caller, deps)
  if (isCostly(call)) await requireBalance(call, caller, ctx)
  return { caller, rates, body: await readBody(call, room, ctx) }
}

/** The playground names its group in the body, and the group decides which rates apply; they are checked once it is known. */
async function admitSession(call: ModelCall, { caller: user, room }: Admittable, deps: RelayDeps): Promise<Admitted> {
  const { ctx } = deps
  admitCaller(user, call, ctx)
  if (isCostly(call)) await requireBalance(call, user, ctx)
  const body = await readBody(call, room, ctx)
  const caller = playgroundCaller(user, body.json)
  admitCaller(caller, call, ctx)
  const rates = await checkRates(call, caller, deps)
  return { caller, rates, body: playgroundBody(body) }
}

const bodyReaders: Readonly<Record<ModelCall['endpoint']['body'], BodyReader>> = {
  json: readJsonBody,
  form: readFormBody,
  'form-or-json': readFormOrJsonBody,
  recording: readRecording,
}

const readBody = ({ endpoint, request, dialect }: ModelCall, room: Room, ctx: Context): Promise<ParsedBody> =>
  bodyReaders[endpoint.body](request, dialect, ctx, room)

/** Returns whether a call costs the gateway something before its price is known. */
const isCostly = ({ endpoint, request }: ModelCall): boolean => endpoint.does === 'count' || isLargeBody(request)

/**
 * Reads a request in its dialect and refuses models that the caller may not use.
 * @throws AppError `caller.model`, `request.model_missing`; DialectError
 */
export function admitRequest(call: ModelCall, caller: Caller, body: ParsedBody): CallView {
  const { model } = body.json
  if (typeof model === 'string') call.findings.model = model
  const view = viewOf(call, body)
  const served = servedName(view.model, caller.group, call.catalog)
  admitModel(caller, served)
  return served === view.model ? view : { ...view, model: served }
}
