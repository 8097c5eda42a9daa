import type { Gateway } from './gateway'

/** What a metric tells now, as it is written with its labels: `tollgate_channels`, `tollgate_calls_total{…}`. Zero when it is not told. */
export async function metricOf(gateway: Gateway, name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}
