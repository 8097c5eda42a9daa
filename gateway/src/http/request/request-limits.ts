import type { OptionValues, Route } from '@tollgate/contract'

import { limitAddress } from '../../accounts/callers/limit-address'
import { AppError } from '../../platform/app-error'
import type { Limit, Limiter } from '../limits/limiter'

const guesses = 'guesses'
const minute = 60
const twentyMinutes = 1200

/** The figures of the limits, which operators set. */
type LimitOptions = Pick<
  OptionValues,
  | 'ConsoleUserCalls'
  | 'ConsoleGuestCalls'
  | 'ConsoleAddressCalls'
  | 'SearchCalls'
  | 'SensitiveCalls'
  | 'ProviderSignInCalls'
>

interface Limits {
  readonly limiter: Limiter
  readonly options: LimitOptions
}

/** @throws AppError `rate.limited`. */
async function consume(limiter: Limiter, key: string, limit: Limit): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.consume(key, limit)
  if (allowed) return
  throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

const perMinute = (points: number): Limit => ({ points, durationSeconds: minute })

/** Counts every call of an address, before anything is looked up for it: a bound that a whole office does not reach. */
export const limitAddressCall = ({ limiter, options }: Limits, clientIp: string) =>
  consume(limiter, `api:address:${limitAddress(clientIp)}`, perMinute(options.ConsoleAddressCalls))

/** Counts a call of someone who is not signed in. */
export const limitGuestCall = ({ limiter, options }: Limits, clientIp: string) =>
  consume(limiter, `api:guest:${limitAddress(clientIp)}`, perMinute(options.ConsoleGuestCalls))

/** Counts a call of a signed-in user, wherever it comes from. */
export const limitUserCall = ({ limiter, options }: Limits, userId: number) =>
  consume(limiter, `api:user:${userId}`, perMinute(options.ConsoleUserCalls))

/** How many users at one address may use up their sensitive calls: more guess with many accounts. */
const usersOfAddress = 10

/**
 * Applies the limit of a route once its caller is known. Each route has its own count: reading keys often does not stop registrations.
 */
export async function limitRoute({ limiter, options }: Limits, route: Route, clientIp: string, userId?: number) {
  const limit = routeLimit(route, options)
  if (!limit) return
  const address = limitAddress(clientIp)
  const what = route.limit === 'password' ? guesses : `${route.method} ${route.path}`
  await consume(limiter, `${what}:${userId === undefined ? `address:${address}` : `user:${userId}`}`, limit)
  if (userId === undefined || route.limit !== 'critical') return
  await consume(limiter, `${what}:users:${address}`, { ...limit, points: limit.points * usersOfAddress })
}

function routeLimit({ limit }: Route, options: LimitOptions): Limit | null {
  switch (limit) {
    case 'critical':
    case 'password':
      return { points: options.SensitiveCalls, durationSeconds: twentyMinutes }
    case 'external':
      return { points: options.ProviderSignInCalls, durationSeconds: twentyMinutes }
    case 'search':
    case 'export':
      return perMinute(options.SearchCalls)
    default:
      return null
  }
}

/** Counts a signed-in caller's guess at the password, at whichever call: a stolen session must not be enough to find it. */
export const limitGuesses = ({ limiter, options }: Limits, userId: number) =>
  consume(limiter, `${guesses}:user:${userId}`, { points: options.SensitiveCalls, durationSeconds: twentyMinutes })
