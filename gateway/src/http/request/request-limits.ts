import type { Route } from '@tollgate/contract'

import { AppError } from '../../app-error'
import type { Limit, Limiter } from '../../limits/limiter'
import { limitAddress } from '../../accounts/callers/limit-address'

/** Room for a console page that refreshes several panels every few seconds, on a network that shares its address. */
const anyCall: Limit = { points: 600, durationSeconds: 60 }
/** For routes that hand out secrets or take a code: guessing must not pay. */
const critical: Limit = { points: 20, durationSeconds: 1200 }
/** A sign-in takes two calls, and a whole office may sign in from one address in the morning. */
const external: Limit = { points: 300, durationSeconds: 1200 }
const search: Limit = { points: 60, durationSeconds: 60 }

/** @throws AppError `rate.limited`. */
async function consume(limiter: Limiter, key: string, limit: Limit): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.consume(key, limit)
  if (allowed) return
  throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

/** Called before anything else. */
export const limitCall = (limiter: Limiter, clientIp: string) =>
  consume(limiter, `api:${limitAddress(clientIp)}`, anyCall)

/** Called once the route and the caller are known. */
export async function limitRoute(limiter: Limiter, route: Route, clientIp: string, userId: number | undefined) {
  if (route.limit === 'critical') {
    await consume(limiter, `critical:address:${limitAddress(clientIp)}`, critical)
    if (userId !== undefined) await limitGuesses(limiter, userId)
  }
  if (route.limit === 'external') await consume(limiter, `external:${limitAddress(clientIp)}`, external)
  if (route.limit === 'search' || route.limit === 'export')
    await consume(limiter, `search:${userId ?? limitAddress(clientIp)}`, search)
}

/** A signed-in caller's own guesses: a stolen session must not be enough to find the password. */
export const limitGuesses = (limiter: Limiter, userId: number) => consume(limiter, `critical:user:${userId}`, critical)
