import { admitCaller } from '../stages/admit'
import { authenticate } from '../stages/authenticate'
import type { Caller, ModelCall } from '../call'
import { playgroundBody, playgroundCaller, playgroundUser } from './playground'
import { checkRates, isLimited, rateRules, type RateRules } from './rate-limits'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import { readBody } from './read-body'
import { requireBalance } from './require-balance'
import type { RelayParts } from '../call-context'

/** A call that may be looked at: who makes it, under which limits, and what it says. */
export interface IdentifiedCall {
  readonly caller: Caller
  readonly rates: RateRules
  readonly body: ParsedBody
}

/**
 * Find out who calls and refuse whoever may not, before any of the body is read: what a body costs to read and parse must not
 * be had for nothing.
 * @throws AppError, DialectError
 */
export async function identify(call: ModelCall, parts: RelayParts): Promise<IdentifiedCall> {
  if (call.endpoint.caller === 'session') return identifyPlayground(call, parts)
  const { ctx } = parts
  const caller = await authenticate(call, parts)
  admitCaller(caller, call, ctx)
  const rates = await checkedRates(call, caller, parts)
  if (isDear(call)) await requireBalance(call, caller, ctx)
  return { caller, rates, body: await readBody(call.request, call.dialect, ctx.config) }
}

/** The playground names its group in the body, and the group decides which rates apply; they are checked when it is known. */
async function identifyPlayground(call: ModelCall, parts: RelayParts): Promise<IdentifiedCall> {
  const { ctx } = parts
  const user = await playgroundUser(call, ctx)
  admitCaller(user, call, ctx)
  if (isDear(call)) await requireBalance(call, user, ctx)
  const body = await readBody(call.request, call.dialect, ctx.config)
  const caller = playgroundCaller(user, body.json)
  admitCaller(caller, call, ctx)
  return { caller, rates: await checkedRates(call, caller, parts), body: playgroundBody(body) }
}

/** Reading and parsing less than this costs no more than a look at a balance that is not in memory. */
const smallBytes = 16 * 1024

/** Whether a call costs us something before its price is known. */
const isDear = ({ endpoint, request }: ModelCall): boolean =>
  endpoint.does === 'count' || Number(request.headers.get('content-length') ?? Infinity) > smallBytes

async function checkedRates(call: ModelCall, caller: Caller, { limiter }: RelayParts): Promise<RateRules> {
  const rates = rateRules(caller, call.catalog.options)
  if (isLimited(rates)) await checkRates(limiter, rates)
  return rates
}
