import { dialects, type DialectId } from '@tollgate/dialects'

import type { Channel } from '../catalog/catalog'
import type { AttemptClocks } from './clocks'
import { retryAfterOf } from './retry-after'
import { readErrorText } from './upstream-call'
import { UpstreamError } from './upstream-error'

/** What an answer with an error status means, after the channel's mapping of statuses. */
export async function refusalOf(
  response: Response,
  dialect: DialectId,
  channel: Channel,
  clocks: AttemptClocks,
  nowMs: number,
): Promise<UpstreamError> {
  const said = dialects[dialect].readError(response.status, await readErrorText(response, clocks))
  return new UpstreamError({
    ...said,
    fault: 'refused',
    status: channel.statusCodeMapping.get(response.status) ?? response.status,
    retryAfterSeconds: retryAfterOf(response.headers, nowMs),
  })
}
