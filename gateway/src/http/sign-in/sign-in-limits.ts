import type { ErrorCode } from '@tollgate/contract'

import { isKnownDevice } from '../../accounts/sessions/known-devices'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Limit, Limiter } from '../../limits/limiter'
import { deviceHashOf } from '../../accounts/sessions/session-cookie'
import { sha256 } from '../../store/seal'
import { limitAddress } from '../../accounts/callers/limit-address'

const twentyMinutes = 1200
/** Wrong passwords for one account from one address or device. */
const ofOne: Limit = { points: 20, durationSeconds: twentyMinutes }
/** Wrong passwords from one address, whatever the accounts: a whole office may share it. */
const ofAddress: Limit = { points: 100, durationSeconds: twentyMinutes }

/** The codes that refuse a wrong guess. */
const wrong: ReadonlySet<ErrorCode> = new Set(['login.failed'])

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
 * from, so that no one can lock another user out. A device that signed in before has a count of its own: it is not locked out by others
 * who share its address either. An attempt is counted beforehand and undone when it was right, so that simultaneous attempts allow no more
 * guesses.
 * @throws AppError `rate.limited`, and what the attempt throws.
 */
export async function limitSignIn<Result>(
  guess: Guess,
  { ctx, limiter }: { readonly ctx: Context; readonly limiter: Limiter },
  attempt: () => Promise<Result>,
): Promise<Result> {
  const counted: Rule[] = []
  const takeBack = async () => {
    for (const { key, limit } of counted) await limiter.restore(key, limit)
  }
  for (const rule of await rulesOf(guess, ctx)) {
    const { allowed, retryAfterSeconds } = await limiter.consume(rule.key, rule.limit)
    counted.push(rule)
    if (allowed) continue
    await takeBack()
    throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
  }
  try {
    const result = await attempt()
    await takeBack()
    return result
  } catch (error) {
    if (!(error instanceof AppError && wrong.has(error.code))) await takeBack()
    throw error
  }
}

async function rulesOf({ account, clientIp, request }: Guess, ctx: Context): Promise<Rule[]> {
  const name = account.normalize('NFKC').trim().toLowerCase().slice(0, 255)
  // Hashed: it may be a password that was typed into the wrong field.
  const hash = sha256(name)
  const device = deviceHashOf(request)
  if (device !== null && (await isKnownDevice(ctx.database, device, name)))
    return [{ key: `sign-in:device:${device}:${hash}`, limit: ofOne }]
  const address = limitAddress(clientIp)
  return [
    { key: `sign-in:account:${address}:${hash}`, limit: ofOne },
    { key: `sign-in:address:${address}`, limit: ofAddress },
  ]
}
