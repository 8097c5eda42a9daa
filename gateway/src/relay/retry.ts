import type { OptionValues, StatusRange } from '@tollgate/contract'

import type { UpstreamError } from './upstream-error'

const isIn = (ranges: readonly StatusRange[], status: number): boolean =>
  ranges.some(({ from, to }) => status >= from && status <= to)

/** Whether another channel may be asked after this failure. Local errors never get here. */
export function isRetryable(error: UpstreamError, options: OptionValues): boolean {
  if (error.fault === 'abandoned' || error.fault === 'timeout') return false
  if (error.fault !== 'refused') return true
  return isIn(options.AutomaticRetryStatusCodes, error.status)
}

/** Statuses that speak of the key and not of the whole channel. */
const keyStatuses: ReadonlySet<number> = new Set([401, 402, 403, 429])

/** Whether another key of the same channel may work. */
export const isKeyFault = (error: UpstreamError): boolean => keyStatuses.has(error.status) || isFatalCode(error)

/** Whether the channel answered badly for reasons of its own, which its breaker counts. */
export const isChannelFault = (error: UpstreamError): boolean =>
  error.fault !== 'abandoned' && (error.fault !== 'refused' || error.status >= 500 || keyStatuses.has(error.status))

const fatalCodes: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'pre_consume_token_quota_failed',
  'Arrearage',
])

const fatalTypes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

const isFatalCode = (error: UpstreamError): boolean => fatalCodes.has(error.code) || fatalTypes.has(error.type)

/** Whether the channel or its key will not work again by itself, so that it is disabled until someone looks. */
export function isFatal(error: UpstreamError, options: OptionValues): boolean {
  if (error.fault !== 'refused') return false
  if (isIn(options.AutomaticDisableStatusCodes, error.status) || isFatalCode(error)) return true
  return options.AutomaticDisableKeywords.some((phrase) => phrase !== '' && error.says(phrase))
}
