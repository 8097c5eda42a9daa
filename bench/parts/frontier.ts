import { frontierOf, type Point } from '../frontier'
import { Lab } from '../lab'
import { measure, warmUp } from '../measure'
import { cell, table } from '../tables'
import { everyTarget, figureName, type Figures, type Part } from './part'

const bounds = [1, 5, 10, 50]
const steps = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const stepMs = 1000

export const frontier: Part = {
  name: 'frontier',
  title: 'Throughput frontier',
  about:
    'The most calls a second, small JSON, whose p99 stays within a bound. Connections are stepped from 1 to 256, each making its next ' +
    'call when the last is answered; in brackets how many made the most.',
  async run(settings) {
    await using lab = await Lab.open(settings.cores, everyTarget(settings))
    await warmUp(lab)
    const points = new Map<string, Point[]>(lab.targets.map(({ name }) => [name, []]))
    for (const connections of steps) {
      const scenario = { name: 'frontier', title: '', connections, isStream: false } as const
      for (const target of lab.targets) {
        const { callsPerSecond, p99 } = await measure(lab, target, scenario, stepMs)
        points.get(target.name)?.push({ connections, callsPerSecond, p99 })
      }
    }
    const verdict = await lab.close()
    const frontiers = [...points].map(([name, found]) => ({
      name,
      best: bounds.map((bound) => frontierOf(found, bound)),
    }))
    return {
      verdict,
      text: table(
        ['p99 within', ...bounds.map((bound) => `${bound} ms`)],
        frontiers.map(({ name, best }) => [name, ...best.map(cellOf)]),
      ),
      figures: Object.fromEntries(
        frontiers.flatMap(({ name, best }) =>
          best.map((point, at) => [figureName('frontier', name, `${bounds[at]} ms`), point?.callsPerSecond ?? 0]),
        ),
      ) satisfies Figures,
    }
  },
}

const cellOf = (point: Point | null): string =>
  point === null ? '–' : `${cell(point.callsPerSecond, 0)} (${point.connections})`
