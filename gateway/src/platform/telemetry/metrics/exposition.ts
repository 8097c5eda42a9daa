import type { Reading } from './series'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

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
