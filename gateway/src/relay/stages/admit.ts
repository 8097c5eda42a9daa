import { takesOwnLogins } from '@tollgate/providers'

import type { ParsedBody } from '../../channels/calls/parsed-body'
import { viewOf, type CallView } from '../admission/call-view'
import { playgroundBody, playgroundCaller } from '../admission/playground'
import { chooseModel, choosingCall } from '../admission/model-choice'
import { checkRates, checkRatesNow, type RateRules } from '../admission/rate-limits'
import { readFormBody, readFormOrJsonBody, readJsonBody, type BodyReader, readRecording } from '../admission/read-body'
import type { Caller, ModelCall, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import type { Room } from '../../http/limits/byte-budget'
import { announcedBytes } from '../../http/request/body-time'
import type { Context } from '../../context'
import { servedName, priorityLevelsOf } from '../../channels/routing/priority-levels'
import { accountRefusal, groupRefusal, modelRefusal } from '../../accounts/callers/caller-refusal'
import { AppError } from '../../platform/app-error'
import { isAddressAllowed } from '../admission/ip-list'
import type { Catalog } from '../../channels/catalog/catalog'
import { isOutOfQuota } from '../../billing/ledger/ledger'
import { WindowError } from '../../billing/ledger/window/window-refusal'

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
  admissions[call.endpoint.auth](call, asking, deps)

type Admission = (call: ModelCall, asking: Admittable, deps: RelayDeps) => Promise<Admitted>

const admissions: Readonly<Record<ModelCall['endpoint']['auth'], Admission>> = {
  key: admitKey,
  session: admitSession,
}

async function admitKey(call: ModelCall, { caller, room }: Admittable, deps: RelayDeps): Promise<Admitted> {
  const { ctx } = deps
  admitCaller(caller, call, ctx)
  const rates = checkRatesNow(call, caller, deps) ?? (await checkRates(call, caller, deps))
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

const readBody = ({ endpoint, request, dialect, source }: ModelCall, room: Room, ctx: Context): Promise<ParsedBody> =>
  (source?.readBody ?? bodyReaders[endpoint.body])(request, dialect, ctx, room)

/** Returns whether a call costs the gateway something before its price is known. */
const isCostly = ({ endpoint, request }: ModelCall): boolean => endpoint.kind === 'count' || isLargeBody(request)

/**
 * Reads a request in its dialect, refuses models that the caller may not use, and chooses among those of an alias.
 * @throws AppError `caller.model`, `request.model_missing`, `route.no_channel`; DialectError
 */
export function admitRequest(
  call: ModelCall,
  caller: Caller,
  body: ParsedBody,
  ctx: Pick<Context, 'clock' | 'random'>,
): CallView {
  const { model } = body.json
  if (typeof model === 'string') call.findings.model = model
  const view = viewOf(call, body)
  const named = servedName(view.model, caller.group, call.catalog)
  admitModel(caller, named)
  if (call.catalog.siteModels === null) return named === view.model ? view : { ...view, model: named }
  return { ...view, ...chooseModel(named, choosingCall(call, { caller, body, view }), ctx) }
}

/**
 * Refuses a caller who may not call models at all: the key's state, the user's, the address, the group. Needs no body.
 * @throws AppError `key.disabled`, `key.expired`, `key.exhausted`, `caller.banned`, `caller.ip`, `caller.group`, `caller.group_gone`.
 */
export function admitCaller(caller: Caller, call: IncomingCall, ctx: Pick<Context, 'clock'>): void {
  const { key } = caller
  const refusal = accountRefusal(caller, ctx.clock.now())
  if (refusal) throw refusal
  if (key && !isAddressAllowed(key, call.clientIp)) throw new AppError('caller.ip', { params: { ip: call.clientIp } })
  const groupError = groupRefusal(caller, call.catalog.options)
  if (groupError) throw groupError
}

/**
 * Refuses a model that the key is not limited to, whatever channel it is pinned to.
 * @throws AppError `caller.model`.
 */
export function admitModel(caller: Caller, model: string): void {
  const refusal = modelRefusal(caller, model)
  if (refusal) throw refusal
}

/** Reading and parsing less than this costs no more than looking up a balance that is not in memory. */
const smallBytes = 16 * 1024

/** Returns whether reading a body costs the gateway something before the price of its call is known. */
export const isLargeBody = (request: Request): boolean => (announcedBytes(request) ?? Infinity) > smallBytes

/**
 * Refuses a caller whose balance is empty, unless the model may cost nothing.
 * @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`.
 */
export async function requireBalance(call: IncomingCall, caller: Caller, ctx: Pick<Context, 'ledger'>): Promise<void> {
  // A plan may pay, which depends on the model; with its own login the client may pay the vendor alone.
  if (caller.plans.length > 0 || (caller.ownLogin !== null && hasLoginChannel(call.catalog))) return
  try {
    ctx.ledger.release(await ctx.ledger.reserve(call.requestId, caller.payer, 1))
  } catch (error) {
    if (!isOutOfQuota(error)) throw error
    if (error instanceof WindowError ? error.window.fallbackModel === null : !hasFreeModel(caller, call.catalog))
      throw error
  }
}

/** For each snapshot of the catalog. */
const loginChannels = new WeakMap<Catalog, boolean>()

/** Returns whether any channel serves clients with their own logins: where none does, a login pays for nothing. */
function hasLoginChannel(catalog: Catalog): boolean {
  const found = loginChannels.get(catalog) ?? catalog.channels.values().some((channel) => takesOwnLogins(channel))
  loginChannels.set(catalog, found)
  return found
}

/** By the key's group and the user's group, for each snapshot of the catalog. */
const known = new WeakMap<Catalog, Map<string, boolean>>()

function hasFreeModel({ group, account }: Caller, catalog: Catalog): boolean {
  const byGroups = known.get(catalog) ?? new Map<string, boolean>()
  known.set(catalog, byGroups)
  const key = `${group}\n${account.group}`
  const found = byGroups.get(key)
  if (found !== undefined) return found
  const names = [...(catalog.routes.get(group)?.keys() ?? [])]
  const isFound = names.some((model) => isFreeModel(model, group, account.group, catalog))
  byGroups.set(key, isFound)
  return isFound
}

/** Returns whether the model is free, under its own name or one that a channel maps it to. */
function isFreeModel(model: string, group: string, userGroup: string, catalog: Catalog): boolean {
  const candidates = priorityLevelsOf(catalog, group, model).flatMap((level) => level.candidates)
  const isOwnMachine = candidates.some(({ channel }) => channel.provider.isFree)
  const upstreamModels = new Set(candidates.map(({ channel }) => channel.modelMapping.get(model)))
  return [undefined, ...upstreamModels].some((upstreamModel) => {
    const price = catalog.prices.priceOf(model, { group, userGroup, upstreamModel, isOwnMachine })
    return price !== null && price.isFree
  })
}
