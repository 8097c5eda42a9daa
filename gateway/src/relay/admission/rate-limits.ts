import type { ErrorCode, OptionValues } from '@tollgate/contract'

import type { ApiKey } from '../../accounts/callers/account'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Limit, LimitResult, Limiter } from '../../http/limits/limiter'
import type { Caller, IncomingCall } from '../call'

/** One rate limit that applies to a call. */
interface Rule {
  readonly name: string
  readonly limit: Limit
  readonly code: ErrorCode
}

/** The limits of one call: `total` counts every call beforehand, `success` counts successful ones afterwards. */
export interface RateRules {
  readonly total: readonly Rule[]
  readonly success: readonly Rule[]
}

const noRules: RateRules = { total: [], success: [] }

/** By options, then by key: a key whose limits, group or account change is a new object. */
const rulesByOptions = new WeakMap<OptionValues, WeakMap<ApiKey, RateRules>>()

/** Returns the limits of this caller; the same empty value for all callers without limits. */
function rateRules(caller: Caller, options: OptionValues): RateRules {
  const { key } = caller
  if (key === null) return findRules(caller, options)
  let known = rulesByOptions.get(options)
  if (!known) rulesByOptions.set(options, (known = new WeakMap()))
  let rules = known.get(key)
  if (!rules) known.set(key, (rules = findRules(caller, options)))
  return rules
}

function findRules(caller: Caller, options: OptionValues): RateRules {
  const ofToken = tokenRules(caller)
  const ofUser = userRules(caller, options)
  if (ofToken === noRules) return ofUser
  if (ofUser === noRules) return ofToken
  return { total: [...ofUser.total, ...ofToken.total], success: [...ofUser.success, ...ofToken.success] }
}

function tokenRules({ key }: Caller): RateRules {
  if (!key?.rateLimit) return noRules
  const { periodSeconds, count, success } = key.rateLimit
  return rules(`token:${key.id}`, periodSeconds, [count, 'rate.token'], [success, 'rate.token'])
}

function userRules({ account, group }: Caller, options: OptionValues): RateRules {
  if (!options.ModelRequestRateLimitEnabled) return noRules
  const own = options.ModelRequestRateLimitGroup[group] ?? options.ModelRequestRateLimitGroup[account.group]
  const [count, success] = own ?? [options.ModelRequestRateLimitCount, options.ModelRequestRateLimitSuccessCount]
  const seconds = options.ModelRequestRateLimitDurationMinutes * 60
  return rules(`user:${account.id}`, seconds, [count, 'rate.user'], [success, 'rate.user_success'])
}

type Bound = readonly [points: number, code: ErrorCode]

/** A bound of 0 means no limit. */
function rules(name: string, durationSeconds: number, total: Bound, success: Bound): RateRules {
  const rule = (suffix: string, [points, code]: Bound): Rule[] =>
    points > 0 ? [{ name: `calls:${name}:${suffix}`, limit: { points, durationSeconds }, code }] : []
  return { total: rule('total', total), success: rule('success', success) }
}

/**
 * Does what `checkRates` does where counts are in memory. Returns the limits; null where counts are elsewhere.
 * @throws AppError as `checkRates`.
 */
export function checkRatesNow(call: RatedCall, caller: Caller, { limiter, ctx }: RateDeps): RateRules | null {
  const counts = limiter.inMemory
  if (counts === null) return null
  const rates = rateRules(caller, call.catalog.options)
  for (const rule of rates.success) apply(rule, counts.peekNow(rule.name, rule.limit), call, ctx)
  for (const rule of rates.total) apply(rule, counts.consumeNow(rule.name, rule.limit), call, ctx)
  return rates
}

/**
 * Counts a call against the limits of its caller, and keeps in its findings what is left of the narrowest one. Successes are compared first
 * and counted later, so that a refused call costs nothing of either count. Resolves with the limits.
 * @throws AppError `rate.token`, `rate.user`, `rate.user_success`.
 */
export async function checkRates(call: RatedCall, caller: Caller, deps: RateDeps): Promise<RateRules> {
  const { limiter, ctx } = deps
  const rates = rateRules(caller, call.catalog.options)
  for (const rule of rates.success) {
    apply(rule, await limiter.peek(rule.name, rule.limit), call, ctx)
  }
  for (const rule of rates.total) {
    apply(rule, await limiter.consume(rule.name, rule.limit), call, ctx)
  }
  return rates
}

/**
 * Does the same for a call whose client does not wait: it leaves half of each limit to those whose clients do.
 * @throws AppError as `checkRates`.
 */
export async function checkRatesInBackground(call: RatedCall, caller: Caller, deps: RateDeps): Promise<RateRules> {
  const { success, total } = rateRules(caller, call.catalog.options)
  for (const { name, limit, code } of [...success, ...total]) {
    const { remaining, retryAfterSeconds } = await deps.limiter.peek(name, limit)
    if (remaining < Math.floor(limit.points / 2))
      throw new AppError(code, { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
  }
  return checkRates(call, caller, deps)
}

/** Counts a call no more that is to be made again. */
export async function restoreRates(limiter: Limiter, { total }: RateRules): Promise<void> {
  for (const { name, limit } of total) await limiter.restore(name, limit)
}

type RatedCall = Pick<IncomingCall, 'catalog' | 'findings'>

interface RateDeps {
  readonly limiter: Limiter
  readonly ctx: Pick<Context, 'clock'>
}

function apply({ limit, code }: Rule, counted: LimitResult, { findings }: RatedCall, { clock }: RateDeps['ctx']): void {
  const { allowed, remaining, retryAfterSeconds } = counted
  if (findings.requests === null || !allowed || remaining < findings.requests.remaining) {
    const reset = { seconds: retryAfterSeconds, at: clock.now() + retryAfterSeconds * 1000 }
    findings.requests = { limit: limit.points, remaining, reset }
  }
  if (!allowed) throw new AppError(code, { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

/** Does what `countSuccess` does where counts are in memory. Returns false where they are elsewhere, and counts nothing. */
export function countSuccessNow({ inMemory }: Limiter, { success }: RateRules): boolean {
  if (inMemory === null) return false
  for (const rule of success) inMemory.consumeNow(rule.name, rule.limit)
  return true
}

/** Counts a call that was answered with a status below 400. */
export async function countSuccess(limiter: Limiter, { success }: RateRules): Promise<void> {
  for (const rule of success) await limiter.consume(rule.name, rule.limit)
}
