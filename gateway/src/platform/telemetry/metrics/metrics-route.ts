import { createHash, timingSafeEqual } from 'node:crypto'

import type { Config } from '../../config/config'
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
export async function serveMetrics(request: Request, { metricsToken, all }: MetricsAccess): Promise<Response> {
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

const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Returns the readings of workers as one text for Prometheus.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function exposition(workers: readonly (readonly Reading[])[]): string {
  const readings = Map.groupBy(workers.flat(), ({ name }) => name)
  return [...readings.values()].map(metricText).join('\n')
}

/** Returns one metric of all workers. */
function metricText(readings: readonly Reading[]): string {
  const [first] = readings
  if (!first) return ''
  const values = new Map<string, number>()
  for (const [series, value] of readings.flatMap(({ samples }) => samples)) {
    const known = values.get(series)
    values.set(series, known === undefined ? value : merged[first.merge](known, value))
  }
  const lines = [...values].map(([series, value]) => `${series} ${value}\n`)
  return `# HELP ${first.name} ${first.help}\n# TYPE ${first.name} ${first.type}\n${lines.join('')}`
}

const merged = {
  sum: (one: number, other: number) => one + other,
  min: (one: number, other: number) => Math.min(one, other),
  max: (one: number, other: number) => Math.max(one, other),
} satisfies Record<Reading['merge'], (one: number, other: number) => number>
