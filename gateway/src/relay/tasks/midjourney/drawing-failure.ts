import type { ErrorCode } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import { UpstreamError } from '../../../channels/calls/upstream-error'
import { mask } from '../../../platform/text/mask'
import { failureOf, type FailureContext } from '../../errors/failure'
import type { PlatformFailure } from '../task-endpoint'

/** Codes with which a proxy refuses a submission. It responds to them with status 200, and clients read the code. */
const proxyCodes: ReadonlySet<string> = new Set(['3', '4', '5', '9', '23', '24'])
/** Refusals of the client's own words, of which it needs the proxy's sentence. */
const spokenCodes: ReadonlySet<string> = new Set(['4', '24'])
/** The proxy is saturated; the status says so, too. */
const saturated = '30'
/** The gateway's own errors, and failures that the proxy has no code for. */
const otherCode = 4

/** Names that clients of midjourney-proxy search descriptions for. */
const knownNames: Partial<Record<ErrorCode, string>> = {
  'quota.user': 'quota_not_enough',
  'quota.token': 'quota_not_enough',
  'key.exhausted': 'quota_not_enough',
  'task.none': 'task_no_found',
}

/** Returns a failed call in the form of midjourney-proxy. */
export function drawingFailure(error: unknown, context: FailureContext): PlatformFailure {
  const { status, message, retryAfterSeconds } = failureOf(error, context)
  const after = retryAfterSeconds !== undefined && { retryAfterSeconds }
  const code = error instanceof UpstreamError && error.fault === 'refused' ? error.code : ''
  if (error instanceof UpstreamError && proxyCodes.has(code)) {
    const description = spokenCodes.has(code) ? mask(error.message, error.secrets) : message
    return { status: 200, body: { code: Number(code), description, result: '', properties: {} } }
  }
  const type = error instanceof UpstreamError ? 'upstream_error' : 'tollgate_error'
  if (code === saturated) return { status: 429, body: { code: Number(code), description: message, type }, ...after }
  const name = error instanceof AppError ? knownNames[error.code] : undefined
  const description = name === undefined ? message : `${name}: ${message}`
  return { status: name === undefined ? status : 400, body: { code: otherCode, description, type }, ...after }
}
