import type { ErrorCode } from '@tollgate/contract'

import { isKnownDevice } from '../../accounts/sessions/known-devices'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Limit, Limiter } from '../limits/limiter'
import { deviceHashOf } from '../../accounts/sessions/session-cookie'
import { sha256 } from '../../platform/store/seal'
import { limitAddress } from '../../accounts/callers/limit-address'

const within = (points: number): Limit => ({ points, durationSeconds: 1200 })

/** How long an attempt waits, and what is left of an address's attempts, once an account has had many wrong passwords from anywhere. */
const slowMs = 3000
const slowShare = 0.25

/** The codes that refuse a wrong guess. */
const wrong: ReadonlySet<ErrorCode> = new Set(['login.failed'])

/** What counts a wrong guess, and when it refuses the next. */
interface Rule {
  readonly key: string
  readonly limit: Limit
}

/** The guesser and the account. */
export interface Guess {
  readonly account: string
  readonly clientIp: string
  readonly request: Request
}

/**
 * Allows a sign-in attempt unless too many from there were wrong. Only wrong ones count, and only for the account at the address they came
 * from, so that no one can lock another user out. Where an account is guessed at from many addresses, attempts wait, and each address has
 * fewer; the owner's at another address come through all the same. A device that signed in before has a count of its own: it is neither
 * slowed down nor locked out by others. An attempt is counted beforehand and undone when it was right, so that simultaneous attempts allow
 * no more guesses.
 * @throws AppError `rate.limited`, and what the attempt throws.
 */
export async function limitSignIn<Result>(
  guess: Guess,
  { ctx, limiter }: Counting,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const counted: Rule[] = []
  const takeBack = async () => {
    for (const { key, limit } of counted) await limiter.restore(key, limit)
  }
  const { rules, isSlow } = await rulesOf(guess, { ctx, limiter })
  for (const rule of rules) {
    const { allowed, retryAfterSeconds } = await limiter.consume(rule.key, rule.limit)
    counted.push(rule)
    if (allowed) continue
    await takeBack()
    throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
  }
  try {
    if (isSlow) await ctx.timers.wait(slowMs)
    const result = await attempt()
    await takeBack()
    return result
  } catch (error) {
    if (!(error instanceof AppError && wrong.has(error.code))) await takeBack()
    throw error
  }
}

interface Counting {
  readonly ctx: Context
  readonly limiter: Limiter
}

async function rulesOf({ account, clientIp, request }: Guess, { ctx, limiter }: Counting) {
  const { WrongPasswords: ofOne, WrongPasswordsOfAddress: ofAddress, SlowSignInAfter } = ctx.catalog.current.options
  const name = account.normalize('NFKC').trim().toLowerCase().slice(0, 255)
  // Hashed: it may be a password that was typed into the wrong field.
  const hash = sha256(name)
  const device = deviceHashOf(request)
  if (device !== null && (await isKnownDevice(ctx.database, device, name)))
    return { rules: [{ key: `sign-in:device:${device}:${hash}`, limit: within(ofOne) }], isSlow: false }
  const address = limitAddress(clientIp)
  const everywhere = `sign-in:everywhere:${hash}`
  const { allowed } = await limiter.peek(everywhere, within(SlowSignInAfter))
  const rules: readonly Rule[] = [
    { key: `sign-in:account:${address}:${hash}`, limit: within(allowed ? ofOne : Math.ceil(ofOne * slowShare)) },
    { key: `sign-in:address:${address}`, limit: within(ofAddress) },
    // Counts, and refuses no one.
    { key: everywhere, limit: within(Infinity) },
  ]
  return { rules, isSlow: !allowed }
}
