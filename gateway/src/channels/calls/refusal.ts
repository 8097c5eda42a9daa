import { dialects, type DialectId } from '@tollgate/dialects'

import type { Channel } from '../catalog/catalog'
import type { UpstreamResponse } from '../../platform/net/upstream/exchange'
import type { AttemptClocks } from './clocks'
import { retryAfterOf } from './retry-after'
import { readErrorText } from './upstream-call'
import { UpstreamError } from './upstream-error'

/** Resolves with what a response with an error status means, after the channel's status mapping. */
export async function refusalOf(
  upstreamResponse: UpstreamResponse,
  dialect: DialectId,
  channel: Channel,
  clocks: AttemptClocks,
  nowMs: number,
): Promise<UpstreamError> {
  const errorView = dialects[dialect].readError(upstreamResponse.status, await readErrorText(upstreamResponse, clocks))
  return new UpstreamError({
    ...errorView,
    fault: 'refused',
    status: channel.statusCodeMapping.get(upstreamResponse.status) ?? upstreamResponse.status,
    retryAfterSeconds: retryAfterOf(upstreamResponse.headers, nowMs) ?? errorView.retryAfterSeconds,
  })
}
