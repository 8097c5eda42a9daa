import { storedPhrase } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { mask } from '../../platform/text/mask'
import type { FailReason } from '../../tasks/end-task'
import { upstreamCode } from '../errors/failure'

const maxReasonLength = 1000

/**
 * Returns why a task failed, as users read it: an upstream's own words only where they concern the request. `lastStatus` is that of the last
 * attempt.
 */
export function failReason(error: unknown, lastStatus: number | undefined): FailReason {
  if (error instanceof AppError) return { code: error.code, params: error.params }
  if (!(error instanceof UpstreamError)) return { code: 'server.error' }
  const isTheirs = error.fault === 'refused' && error.status >= 400 && error.status < 500 && error.status !== 429
  if (!isTheirs || lastStatus === 401) return { code: upstreamCode(error), params: { status: error.status } }
  return mask(error.message, error.secrets).slice(0, maxReasonLength) || storedPhrase('task.failed')
}
