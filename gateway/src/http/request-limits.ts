import type { Route } from '@tollgate/contract'

import { AppError } from '../app-error'
import type { Limit, Limiter } from '../limits/limiter'
import { limitAddress } from '../accounts/callers/limit-address'

/** Room for a console page that refreshes several panels every few seconds, on a network that shares its address. */
const anyCall: Limit = { points: 600, durationSeconds: 60 }
/** What hands out secrets or is asked for a code: guessing must not pay. */
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

/** Before anything else is looked at. */
export const limitCall = (limiter: Limiter, clientIp: string) =>
  consume(limiter, `api:${limitAddress(clientIp)}`, anyCall)

/** Once the route and the caller are known. */
export async function limitRoute(limiter: Limiter, route: Route, clientIp: string, userId: number | undefined) {
  if (route.limit === 'critical') {
    await consume(limiter, `critical:address:${limitAddress(clientIp)}`, critical)
    if (userId !== undefined) await limitGuesses(limiter, userId)
  }
  if (route.limit === 'external') await consume(limiter, `external:${limitAddress(clientIp)}`, external)
  if (route.limit === 'search') await consume(limiter, `search:${userId ?? limitAddress(clientIp)}`, search)
}

/** A signed-in caller's own guesses: whoever has the session must not find the password with it. */
export const limitGuesses = (limiter: Limiter, userId: number) => consume(limiter, `critical:user:${userId}`, critical)
