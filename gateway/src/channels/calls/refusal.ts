import { dialects, type DialectId } from '@tollgate/dialects'

import type { Channel } from '../catalog/catalog'
import type { UpstreamAnswer } from '../../platform/net/upstream/exchange'
import type { AttemptClocks } from './clocks'
import { retryAfterOf } from './retry-after'
import { readErrorText } from './upstream-call'
import { UpstreamError } from './upstream-error'

/** Resolves with what a response with an error status means, after the channel's status mapping. */
export async function refusalOf(
  answer: UpstreamAnswer,
  dialect: DialectId,
  channel: Channel,
  clocks: AttemptClocks,
  nowMs: number,
): Promise<UpstreamError> {
  const said = dialects[dialect].readError(answer.status, await readErrorText(answer, clocks))
  return new UpstreamError({
    ...said,
    fault: 'refused',
    status: channel.statusCodeMapping.get(answer.status) ?? answer.status,
    retryAfterSeconds: retryAfterOf(answer.headers, nowMs) ?? said.retryAfterSeconds,
  })
}
