import { createHash, timingSafeEqual } from 'node:crypto'

import type { Config } from '../../config/config'
import { exposition, expositionType } from './exposition'
import type { Metrics } from './metrics'
import type { Reading } from './series'

/** Returns what each worker of this gateway reads. */
export type WorkersMetrics = () => Promise<readonly (readonly Reading[])[]>

export interface MetricsAccess extends Pick<Config, 'metricsToken'> {
  readonly all: WorkersMetrics
}

/**
 * Handles `GET /metrics` in the text format of Prometheus. The metrics reveal how much is sold: only a client that presents the token as a
 * bearer may read them. Where a request seems to come from would not tell: a proxy on this machine hides the world.
 */
export async function metricsAnswer(request: Request, { metricsToken, all }: MetricsAccess): Promise<Response> {
  const isAllowed = metricsToken !== '' && isSame(request.headers.get('authorization') ?? '', `Bearer ${metricsToken}`)
  if (!isAllowed) return new Response('Set METRICS_TOKEN and send it as a bearer.\n', { status: 403 })
  return new Response(exposition(await all()), { headers: { 'content-type': expositionType } })
}

/** Returns only the metrics of this worker. */
export const ownMetrics =
  (metrics: Metrics): WorkersMetrics =>
  async () => [metrics.read()]

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
