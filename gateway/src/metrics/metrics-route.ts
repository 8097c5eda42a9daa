import { createHash, timingSafeEqual } from 'node:crypto'

import type { Config } from '../config'
import { exposition, expositionType } from './exposition'
import type { Metrics } from './metrics'
import type { Reading } from './series'

/** What each worker of this gateway reads. */
export type WorkersMetrics = () => Promise<readonly (readonly Reading[])[]>

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * `GET /metrics` in the text format of Prometheus. Without a token only this machine may read them: they tell how much is
 * sold. With one, whoever presents it as a bearer.
 */
export async function metricsAnswer(
  request: Request,
  address: string,
  { metricsToken }: Pick<Config, 'metricsToken'>,
  all: WorkersMetrics,
): Promise<Response> {
  const mayRead =
    metricsToken === ''
      ? loopback.test(address)
      : isSame(request.headers.get('authorization') ?? '', `Bearer ${metricsToken}`)
  if (!mayRead) return new Response('Set METRICS_TOKEN and send it as a bearer.\n', { status: 403 })
  return new Response(exposition(await all()), { headers: { 'content-type': expositionType } })
}

/** The metrics of this worker alone. */
export const ownMetrics =
  (metrics: Metrics): WorkersMetrics =>
  async () => [metrics.read()]

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
