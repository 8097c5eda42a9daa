import { cpuClock } from './cpu-clock'
import type { Call } from './call'
import type { Site } from './site'

/** Milliseconds that a call may take. */
export const allowedMs = 50

/** Milliseconds. */
export interface Measured {
  readonly name: string
  /** The first of its kind, on a cache that may not hold its rows. */
  readonly cold: number
  /** Until the answer was read, the shortest of some: what else the machine does only adds. */
  readonly best: number
  readonly median: number
  /** CPU time of the gateway and its database together, the minimum of several runs. */
  readonly cpu: number
}

/** Make each call some times, telling which take longer than they may. */
export async function walk(site: Site, calls: readonly Call[], rounds: number): Promise<Measured[]> {
  const clock = cpuClock(site.gateway.processId, site.databaseUrl)
  const measured: Measured[] = []
  for (const call of calls) {
    const cold = await site.time(call)
    const times: number[] = []
    const cpus: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const before = await clock.read()
      times.push(await site.time(call))
      cpus.push((await clock.read()) - before)
    }
    times.sort((one, other) => one - other)
    const one = {
      name: call.name,
      cold,
      best: times[0] ?? cold,
      median: times[times.length >> 1] ?? cold,
      cpu: Math.min(...cpus),
    }
    measured.push(one)
    if (isSlow(one)) console.log(lineOf(one))
  }
  await clock.close()
  return measured
}

export const isSlow = ({ best }: Measured): boolean => best > allowedMs

export const lineOf = ({ name, cold, best, median, cpu }: Measured): string =>
  `${best.toFixed(0).padStart(6)} ms, ${cpu.toFixed(0).padStart(5)} of processor  (median ${median.toFixed(0)}, first ${cold.toFixed(0)})  ${name}`
