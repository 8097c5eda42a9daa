import type { ErrorCode } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import { UpstreamError } from '../../../channels/calls/upstream-error'
import { failureOf, type FailureContext } from '../../errors/failure'
import type { PlatformFailure } from '../platform-failure'

/** Suno-API's names for errors of ours. */
const knownNames: Partial<Record<ErrorCode, string>> = {
  'quota.user': 'quota_not_enough',
  'quota.token': 'quota_not_enough',
  'key.exhausted': 'quota_not_enough',
  'request.malformed': 'invalid_request',
  'task.field_missing': 'invalid_request',
  'task.field_invalid': 'invalid_request',
  'task.none': 'task_not_exist',
  'route.no_channel': 'get_channel_failed',
  'model.unknown': 'get_channel_failed',
}

/** Returns a failed call in the form of Suno-API. */
export function songFailure(error: unknown, context: FailureContext): PlatformFailure {
  const { status, message, code, retryAfterSeconds } = failureOf(error, context)
  const known = error instanceof AppError ? knownNames[error.code] : undefined
  const isRefused = error instanceof UpstreamError && error.fault === 'refused' && error.status === 400
  const name = known ?? (isRefused ? error.code || 'invalid_request' : code)
  return {
    status,
    body: { code: name, message, data: null },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
