import { createHash, timingSafeEqual } from 'node:crypto'

import type { Config } from '../config'
import { exposition, expositionType } from './exposition'
import type { Metrics } from './metrics'
import type { Reading } from './series'

/** Returns what each worker of this gateway reads. */
export type WorkersMetrics = () => Promise<readonly (readonly Reading[])[]>

export interface MetricsAccess extends Pick<Config, 'metricsToken'> {
  /** The request comes from this machine and through no proxy. */
  readonly isDirectLocal: boolean
  readonly all: WorkersMetrics
}

/**
 * Handles `GET /metrics` in the text format of Prometheus. The metrics reveal how much is sold: without a token only programs on this
 * machine may read them, with one a client that presents it as a bearer token.
 */
export async function metricsAnswer(
  request: Request,
  { metricsToken, isDirectLocal, all }: MetricsAccess,
): Promise<Response> {
  const mayRead =
    metricsToken === '' ? isDirectLocal : isSame(request.headers.get('authorization') ?? '', `Bearer ${metricsToken}`)
  if (!mayRead) return new Response('Set METRICS_TOKEN and send it as a bearer.\n', { status: 403 })
  return new Response(exposition(await all()), { headers: { 'content-type': expositionType } })
}

/** Returns only the metrics of this worker. */
export const ownMetrics =
  (metrics: Metrics): WorkersMetrics =>
  async () => [metrics.read()]

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
