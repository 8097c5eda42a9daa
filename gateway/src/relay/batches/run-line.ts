import { isObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { accountRefusal, groupRefusal } from '../../accounts/callers/caller-refusal'
import type { Charge, Ledger, Reservation } from '../../billing/ledger/ledger'
import { DatabaseUnavailableError } from '../../platform/store/database-errors'
import { parseTextInTurns } from '../../channels/calls/parse-response-object'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Caller, ModelCall } from '../call'
import { Timing, type RelayDeps } from '../call-context'
import { checkRatesInBackground, countSuccess, restoreRates } from '../admission/rate-limits'
import { refuseForbiddenWords } from '../content-policy/forbidden-words'
import { Departure } from '../departure'
import { failureOf, type Failure } from '../errors/failure'
import { serve } from '../pipeline'
import { hashedKeyCaller } from '../stages/authenticate'
import { outputLimit } from '../stages/reserve'
import { prepareLine } from './prepare-line'

/** A line as it is called. */
export interface LineTurn {
  readonly call: ModelCall
  readonly keyHash: string
  /** JSON. */
  readonly text: string
  /** What is held for it. */
  readonly held: number
  /** For prices that depend on the hour: when the batch was submitted. */
  readonly unixMs: number
}

/** How the call of a line ended. `later`: it is to be made again, which says nothing about the line where no channel had room. */
export type LineOutcome =
  | { readonly kind: 'served'; readonly body: unknown; readonly charge: Charge }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'later'; readonly isFull: boolean; readonly failure: Failure }

/** Makes the call of a line, through the same stages as one whose client waits; what it costs is not charged yet. Never throws. */
export async function runLine(turn: LineTurn, deps: RelayDeps): Promise<LineOutcome> {
  const leave = deps.inFlight.enter()
  try {
    return await serveLine(turn, deps)
  } catch (error) {
    const failure = failureOf(error, turn.call)
    const later = againLater(error)
    return later ? { kind: 'later', ...later, failure } : { kind: 'failed', failure }
  } finally {
    leave()
  }
}

/** @throws AppError, DialectError, UpstreamError. */
async function serveLine({ call, keyHash, text, held, unixMs }: LineTurn, deps: RelayDeps): Promise<LineOutcome> {
  const { ctx } = deps
  // Looked up here, so that a deleted key does not count as an attempt to guess one.
  if (!(ctx.accounts.keyInMemory(keyHash) ?? (await ctx.accounts.byKeyHash(keyHash)))) throw new AppError('key.invalid')
  const caller = await hashedKeyCaller(keyHash, null, call, deps)
  requireCaller(caller, call, ctx.clock.now())
  const rates = await checkRatesInBackground(call, caller, deps)
  try {
    const outcome = await serveCounted(call, caller, { text, held, unixMs }, deps)
    await countSuccess(deps.limiter, rates)
    return outcome
  } catch (error) {
    if (againLater(error)) await restoreRates(deps.limiter, rates)
    throw error
  }
}

async function serveCounted(
  call: ModelCall,
  caller: Caller,
  { text, held, unixMs }: Pick<LineTurn, 'text' | 'held' | 'unixMs'>,
  deps: RelayDeps,
): Promise<LineOutcome> {
  const { ctx } = deps
  // The files that it names.
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const { body, view, objects, quote } = await prepareLine(call, caller, text, { ctx, unixMs, room })
  await refuseForbiddenWords(call.catalog, view.prompt.texts)
  // It pays for nothing, and carries what the call takes of the windows of its channel.
  const payer = { userId: caller.account.id, tokenId: 0, isTokenLimited: false }
  const places = await ctx.ledger.reserve(call.requestId, payer, 0)
  try {
    const reservation: Reservation = { requestId: call.requestId, payer: caller.payer, amount: held, spendable: null }
    const noted = new NotedLedger(ctx.ledger, reservation, places)
    const response = await serve({
      deps: { ...deps, ctx: { ...ctx, ledger: noted.ledger } },
      call,
      caller,
      body,
      view,
      objects,
      turn: null,
      quote,
      reservation,
      departure: Departure.withoutConnection(caller.payer),
      maxTokens: outputLimit(quote, view, { caps: caller.caps, reservation }),
      records: [],
      timing: new Timing(ctx, null),
    })
    const parsed = await parseTextInTurns(await response.text()).catch(() => null)
    if (noted.charge === null || !isObject(parsed)) throw new AppError('upstream.malformed')
    return { kind: 'served', body: parsed, charge: noted.charge }
  } finally {
    ctx.ledger.release(places)
  }
}

/** Refuses a key or a user that may not call any more. The addresses of a key were asked for at the submission; a key whose quota is all held is not exhausted. */
export function requireCaller(caller: Caller, { catalog }: ModelCall, now: number): void {
  const refusal = accountRefusal(caller, now)
  if (refusal && refusal.code !== 'key.exhausted') throw refusal
  const ofGroup = groupRefusal(caller, catalog.options)
  if (ofGroup) throw ofGroup
}

/** A ledger for one line, which notes what it costs: the hold of its batch pays, in one transaction with its result. */
export class NotedLedger {
  readonly ledger: Ledger
  #charge: Charge | null = null

  constructor(ledger: Ledger, held: Reservation, places: Reservation) {
    this.ledger = {
      ...ledger,
      reserveNow: () => null,
      reserve: async (_, __, requested) => {
        const min = typeof requested === 'number' ? requested : requested.min
        if (held.amount < min) throw new AppError('quota.user', { params: { need: min } })
        return held
      },
      extend: () => 0,
      admit: (_, windows, range) => ledger.admit(places, windows, range),
      draw: (_, windows, range) => ledger.draw(places, windows, range),
      release() {},
      charge: async (_, charge) => void (this.#charge = charge),
    }
  }

  /** Null: it was not charged. */
  get charge(): Charge | null {
    return this.#charge
  }
}

const fullCodes: ReadonlySet<string> = new Set([
  'rate.token',
  'rate.user',
  'rate.user_success',
  'route.busy',
  'route.no_channel',
  'gateway.memory',
  'gateway.busy',
  'ledger.unavailable',
  'object.away',
  'gateway.draining',
])

/** The upstream broke off, or sent nothing of use. */
const brokenCodes: ReadonlySet<string> = new Set(['upstream.broken', 'upstream.malformed'])

/** Returns whether the call may end otherwise in a while; null: it may not. `isFull`: what it needed had no room. */
function againLater(error: unknown): { readonly isFull: boolean } | null {
  if (error instanceof DatabaseUnavailableError) return { isFull: true }
  if (error instanceof AppError)
    return fullCodes.has(error.code) ? { isFull: true } : brokenCodes.has(error.code) ? { isFull: false } : null
  if (!(error instanceof UpstreamError)) return null
  if (error.status === tooManyRequests || error.status === overloaded || error.fault === 'busy') return { isFull: true }
  const isOwnFault = error.fault === 'refused' && error.status < internalError && error.status !== requestTimeout
  return isOwnFault ? null : { isFull: false }
}

const requestTimeout = 408
const tooManyRequests = 429
const internalError = 500
/** Anthropic's. */
const overloaded = 529
