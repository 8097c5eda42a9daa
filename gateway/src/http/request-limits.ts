import type { Route } from '@tollgate/contract'

import { AppError } from '../app-error'
import type { Limit, Limiter } from '../limits/limiter'
import { limitAddress } from './client-address'

/** Room for a console page that refreshes several panels every few seconds, on a network that shares its address. */
const anyCall: Limit = { points: 600, durationSeconds: 60 }
/** Signing in and the like: guessing must not pay. */
const critical: Limit = { points: 20, durationSeconds: 1200 }
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
  if (route.limit === 'search') await consume(limiter, `search:${userId ?? limitAddress(clientIp)}`, search)
}

/** A signed-in caller's own guesses: whoever has the session must not find the password with it. */
export const limitGuesses = (limiter: Limiter, userId: number) => consume(limiter, `critical:user:${userId}`, critical)

/** Once the body is known: an account is guarded against guesses from many addresses. */
export async function limitAccount(limiter: Limiter, route: Route, body: unknown) {
  if (route.limit !== 'critical' || typeof body !== 'object' || body === null) return
  for (const name of ['username', 'email'] as const) {
    const account = name in body ? Reflect.get(body, name) : undefined
    if (typeof account === 'string' && account !== '') {
      await consume(
        limiter,
        `critical:account:${account.normalize('NFKC').trim().toLowerCase().slice(0, 255)}`,
        critical,
      )
    }
  }
}
