import type { OptionValues, StatusRange } from '@tollgate/contract'

import type { FailureScope } from '../../channels/health/health-news'
import type { UpstreamError } from '../../channels/calls/upstream-error'

/** What failed: the channel or a part of it, the request itself, or none of them. */
export type Blame = FailureScope | 'request' | 'none'

const isIn = (ranges: readonly StatusRange[], status: number): boolean =>
  ranges.some(({ from, to }) => status >= from && status <= to)

/** Statuses that speak of the key and not of the whole channel. */
const keyStatuses: ReadonlySet<number> = new Set([401, 402, 403, 429])

/** What an upstream calls a key that it will not take, beside the statuses. */
const keyCodes: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'API_KEY_INVALID',
  'account_deactivated',
  'billing_not_active',
  'pre_consume_token_quota_failed',
  'Arrearage',
])
const keyTypes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'billing_error',
  'forbidden',
])

/** What an upstream calls a model that it does not have. */
const modelCodes: ReadonlySet<string> = new Set([
  'model_not_found',
  'model_not_supported',
  'model_not_available',
  'invalid_model',
  'unknown_model',
  'unsupported_model',
  'ModelNotFound',
  'ModelNotOpen',
  'DeploymentNotFound',
  'OperationNotSupported',
  'UnsupportedModel',
])
/** The same in a sentence. A message is at most a few thousand characters long. */
const modelPhrases: readonly RegExp[] = [
  /\bmodel\b[^\n]{0,160}\b(?:not (?:found|available|exist|supported)|does ?n[o']t exist|unknown)\b/i,
  /\b(?:unknown|unsupported|invalid|no such) model\b/i,
  /模型[^。\n]{0,60}(?:不存在|不支持|未找到|不可用|未开通)|(?:不支持|未知|没有)[^。\n]{0,20}模型/,
]

/** What it calls something that it or the model cannot do, and others may. */
const featureCodes: ReadonlySet<string> = new Set([
  'unsupported_parameter',
  'unsupported_value',
  'unsupported_feature',
  'unsupported_country_region_territory',
])
const featurePhrases: readonly RegExp[] = [
  /\b(?:not|n[o']t (?:yet )?) ?support(?:ed)?\b|\bunsupported\b/i,
  /\buser location\b/i,
  /不支持/,
]

const saysKey = ({ code, type }: UpstreamError): boolean => keyCodes.has(code) || keyTypes.has(type)

const namesModel = ({ code }: UpstreamError): boolean => modelCodes.has(code)

const saysModel = (error: UpstreamError): boolean =>
  namesModel(error) || modelPhrases.some((phrase) => error.matches(phrase))

const saysFeature = (error: UpstreamError): boolean =>
  featureCodes.has(error.code) || featurePhrases.some((phrase) => error.matches(phrase))

const saysFatal = (error: UpstreamError, { AutomaticDisableKeywords: phrases }: OptionValues): boolean =>
  phrases.some((phrase) => phrase !== '' && error.says(phrase))

/** Returns what is to blame for a failed attempt: the request, where the upstream refuses it for what it holds. */
export function blameOf(error: UpstreamError, options: OptionValues): Blame {
  const { fault, status } = error
  if (fault === 'abandoned' || fault === 'busy' || fault === 'stale') return 'none'
  if (fault !== 'refused') return 'channel'
  if (status >= 500 || status === 408) return saysKey(error) ? 'key' : 'channel'
  if (keyStatuses.has(status) || saysKey(error)) return 'key'
  if (status === 404) return 'model'
  if (status !== 400) return 'request'
  if (saysFatal(error, options)) return 'key'
  return saysModel(error) ? 'model' : 'request'
}

/**
 * Whether the next call would fare no better: the upstream names a key it refuses or a model it does not have. A sentence alone
 * proves nothing, as it may repeat what the caller wrote.
 */
function isCertain(error: UpstreamError, blame: Blame): boolean {
  if (error.fault !== 'refused') return false
  if (blame === 'key') return saysKey(error) || error.status === 401 || error.status === 402
  return blame === 'model' && (namesModel(error) || (error.status === 404 && saysModel(error)))
}

/** A failure that takes long weighs more: each one costs a caller all that time. */
const silentWeight = 2

/** How much the failure speaks against what is to blame for it. */
export function weightOf(error: UpstreamError, blame: Blame): number {
  if (isCertain(error, blame)) return Infinity
  return error.fault === 'silent' ? silentWeight : 1
}

/**
 * Whether another channel may be asked after this failure. Which statuses say that the request itself is wrong is the operator's
 * to decide; 400 is not believed where the upstream's words speak of itself.
 */
export function isRetryable(error: UpstreamError, blame: Blame, options: OptionValues): boolean {
  if (error.fault === 'abandoned' || error.fault === 'timeout') return false
  if (error.fault !== 'refused') return true
  if (isIn(options.AutomaticRetryStatusCodes, error.status)) return true
  return error.status === 400 && (blame !== 'request' || saysFeature(error))
}

/** Returns whether the channel or its key will not work again by itself, so that it is disabled until someone looks. */
export function isFatal(error: UpstreamError, options: OptionValues): boolean {
  if (error.fault !== 'refused') return false
  return isIn(options.AutomaticDisableStatusCodes, error.status) || saysKey(error) || saysFatal(error, options)
}
