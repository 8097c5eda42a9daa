import { metricsHeaders, type Gateway } from './gateway'

/**
 * Returns the current value of a metric, written with its labels: `tollgate_channels`, `tollgate_calls_total{…}`. Zero when it is not
 * reported.
 */
export async function metricOf(gateway: Gateway, name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`, { headers: metricsHeaders })).text()
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}
