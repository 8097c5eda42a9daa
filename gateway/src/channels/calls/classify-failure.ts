import type { OptionValues, StatusRange } from '@tollgate/contract'
import { failedOutput } from '@tollgate/dialects'
import { refusalTopic, type RefusalTopic } from '@tollgate/providers'

import type { FailureScope } from '../health/health-reading'
import type { UpstreamError } from './upstream-error'

/** What failed: the channel or a part of it, the request itself, its client's own account at the vendor, or none of them. */
export type FailureClass = FailureScope | 'request' | 'client' | 'none'

const isIn = (ranges: readonly StatusRange[], status: number): boolean =>
  ranges.some(({ from, to }) => status >= from && status <= to)

/** Statuses that concern the key rather than the whole channel. */
const keyStatuses: ReadonlySet<number> = new Set([401, 402, 403, 429])

/** Error codes by which upstreams reject a key, besides the statuses. */
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

/** Error codes by which upstreams reject an unknown model. */
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
/** Error codes for features that this upstream or model lacks and others may support. */
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

const isAboutKey = ({ code, type }: UpstreamError): boolean => keyCodes.has(code) || keyTypes.has(type)

const namesModel = ({ code }: UpstreamError): boolean => modelCodes.has(code)

/**
 * A key that may not use a model, which others of its models need not share: Baidu says so with status 401, OpenAI with 403.
 * https://cloud.baidu.com/doc/qianfan-api/s/rmwbl43x7
 */
const deniesModel = (error: UpstreamError): boolean =>
  (error.status === 401 || error.status === 403) && namesModel(error) && !isAboutKey(error)

const topicOf = (error: UpstreamError): RefusalTopic | null => refusalTopic(error.unquoted)

const isAboutModel = (error: UpstreamError): boolean => namesModel(error) || topicOf(error) === 'model'

const isAboutFeature = (error: UpstreamError): boolean =>
  featureCodes.has(error.code) || featurePhrases.some((phrase) => error.matches(phrase))

/**
 * Returns whether the upstream does not have the model, whatever the status. A sentence about what a model does not support is about the
 * request unless the status says otherwise.
 */
export const lacksModel = (error: UpstreamError): boolean =>
  error.fault === 'refused' &&
  (clientErrors.has(error.status) || deniesModel(error)) &&
  (namesModel(error) || (topicOf(error) === 'model' && (error.status === 404 || !isAboutFeature(error))))

/** Statuses by which vendors say so. */
const clientErrors: ReadonlySet<number> = new Set([400, 404, 410, 422])

const hasFatalPhrase = (error: UpstreamError, { AutomaticDisableKeywords: phrases }: OptionValues): boolean =>
  phrases.some((phrase) => phrase !== '' && error.contains(phrase))

/** Returns what is to blame for a failed attempt: the request, where the upstream rejects its content. */
export function classifyFailure(error: UpstreamError, options: OptionValues): FailureClass {
  const { fault, status } = error
  if (error.isOfClient) return 'client'
  if (fault === 'abandoned' || fault === 'busy' || fault === 'stale') return 'none'
  if (fault !== 'refused') return 'channel'
  // A mishap of the model, which its next answer need not have.
  if (error.type === failedOutput) return 'none'
  if (status >= 500 || status === 408) return isAboutKey(error) ? 'key' : 'channel'
  if (deniesModel(error)) return 'model'
  if (keyStatuses.has(status) || isAboutKey(error)) return 'key'
  if (status === 400 && hasFatalPhrase(error, options)) return 'key'
  return concernOf(error) ?? (status === 404 ? 'model' : 'request')
}

/** Returns what of the operator's a refusal with a status of the request concerns; null when it concerns the request. */
function concernOf(error: UpstreamError): 'key' | 'model' | null {
  const topic = namesModel(error) ? 'model' : topicOf(error)
  return topic === 'funds' ? 'key' : topic
}

/** Returns whether the upstream refuses the operator: callers would take its words for their own account or key. */
export const isOperatorsFault = (error: UpstreamError): boolean =>
  error.fault === 'refused' && (isAboutKey(error) || (error.status < 500 && concernOf(error) === 'key'))

/**
 * Returns whether the next call is certain to fail as well: the upstream names a key it rejects or a model it does not have. A phrase
 * alone proves nothing, as it may repeat what the caller wrote.
 */
function willFailAgain(error: UpstreamError, failureClass: FailureClass): boolean {
  if (error.fault !== 'refused') return false
  if (failureClass === 'key') return isAboutKey(error) || error.status === 401 || error.status === 402
  return failureClass === 'model' && (namesModel(error) || (error.status === 404 && isAboutModel(error)))
}

/** A timeout weighs more: each one costs a caller all that time. */
const silentWeight = 2

/** Returns how much the failure counts against whatever is to blame for it. */
export function weightOf(error: UpstreamError, failureClass: FailureClass): number {
  if (willFailAgain(error, failureClass)) return Infinity
  return error.fault === 'silent' ? silentWeight : 1
}

/**
 * Returns whether another channel may be tried after this failure: not where this one may have accepted the work already. The operator decides which statuses mean that the request itself is
 * wrong; a 400 is disregarded where the upstream's message describes a problem of its own.
 */
export function isRetryable(error: UpstreamError, failureClass: FailureClass, options: OptionValues): boolean {
  if (error.fault === 'abandoned' || error.fault === 'timeout' || error.fault === 'unanswered') return false
  if (failureClass === 'client') return false
  if (error.fault !== 'refused') return true
  if (isIn(options.AutomaticRetryStatusCodes, error.status)) return true
  return error.status === 400 && (failureClass !== 'request' || isAboutFeature(error))
}

/** Returns whether the channel or its key will not work again by itself, so that it is disabled until someone looks. */
export function shouldDisable(error: UpstreamError, options: OptionValues): boolean {
  if (error.fault !== 'refused' || error.isOfClient) return false
  const isDisabling = isIn(options.AutomaticDisableStatusCodes, error.status) && !deniesModel(error)
  return isDisabling || isAboutKey(error) || hasFatalPhrase(error, options)
}
