import { isObject, type JsonObject } from '@tollgate/dialects'

import { bearer } from './auth'
import type { BalanceCall, Target, VendorBalance, VendorCall, VendorCurrency } from './provider'

type BalanceTarget = Pick<Target, 'baseUrl' | 'key'>

/** One `GET` with the bearer key, read by `parse`. */
export const balanceAt = (
  url: (target: BalanceTarget) => string,
  parse: (answer: JsonObject, target: Pick<Target, 'baseUrl'>) => VendorBalance,
): BalanceCall => ({
  requests: (target) => [call(target, url(target))],
  parse: ([answer], target) => parse(requireObject(answer), target),
})

/** Returns an amount at a vendor that bills in dollars at addresses of this domain and in yuan elsewhere. */
export const dollarsAt = (abroad: string, { baseUrl }: Pick<Target, 'baseUrl'>, amount: number): VendorBalance => ({
  amount,
  currency: new URL(baseUrl).hostname.endsWith(abroad) ? 'USD' : 'CNY',
})

/** @throws TypeError for a currency that is not known. */
export function currencyOf(value: unknown): VendorCurrency {
  if (value === 'USD' || value === 'CNY') return value
  throw new TypeError('The balance answer has another currency')
}

/**
 * OpenAI's billing pages, which resellers imitate: hard limit minus usage. The usage counts from the first of the month,
 * or over 100 days for an account without a payment method; both are asked for, since only the first answer tells which.
 */
export const openAiBalance = (root: (baseUrl: string) => string = (baseUrl) => baseUrl): BalanceCall => ({
  requests: (target, today) => {
    const billing = `${root(target.baseUrl)}/v1/dashboard/billing`
    const usageSince = (start: Date): VendorCall =>
      call(target, `${billing}/usage?start_date=${dateOf(start)}&end_date=${dateOf(today)}`)
    return [call(target, `${billing}/subscription`), usageSince(monthStart(today)), usageSince(daysBefore(today, 100))]
  },
  parse: ([subscription, month, hundredDays]) => {
    const { has_payment_method: pays, hard_limit_usd: limit } = requireObject(subscription)
    const { total_usage: usage } = requireObject(pays === false ? hundredDays : month)
    return { amount: requireNumber(limit) - requireNumber(usage) / 100, currency: 'USD' }
  },
})

/** An object, or `TypeError`. */
export function requireObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError('The balance answer lacks an object')
  return value
}

/** A finite number, also written as text, or `TypeError`. */
export function requireNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new TypeError('The balance answer lacks a number')
  return number
}

const call = (target: BalanceTarget, url: string): VendorCall => ({ url, headers: bearer()(target) })

const dateOf = (date: Date): string => date.toISOString().slice(0, 10)

const monthStart = (date: Date): Date => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))

const daysBefore = (date: Date, days: number): Date => new Date(date.getTime() - days * 86_400_000)
