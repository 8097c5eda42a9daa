import { Lab } from '../lab'
import { load } from '../load'
import { requestFor } from '../measure'
import { memoryOf } from '../processes'
import { isPlateau } from '../samples'
import { manyStreams } from '../scenarios'
import { cell, table } from '../tables'
import type { Target } from '../targets'
import { everyTarget, figureName, type Part } from './part'

const idleMs = 3000
const sampleMs = 1000
const maxSamples = 45

export const memory: Part = {
  name: 'memory',
  title: 'Memory',
  about:
    'Resident memory of all processes of a target, in MB; pages of files that they share, the program itself, count once. Idle: after ' +
    'start and set-up. Then 400 streams, a frame every 50 ms, until six samples, one a second, lie within 2 %.',
  async run(settings) {
    await using lab = await Lab.open(settings.cores, everyTarget(settings))
    await Bun.sleep(idleMs)
    const measured = lab.targets.filter((target) => target.processIds().length > 0)
    const idle = measured.map((target) => memoryOf(target.processIds()))
    const loaded: number[] = []
    for (const target of measured) loaded.push(await underStreams(lab, target))
    const verdict = await lab.close()
    return {
      verdict,
      text: table(
        ['', 'idle', '400 streams'],
        measured.map(({ name }, at) => [name, cell(idle[at], 0), cell(loaded[at], 0)]),
      ),
      figures: Object.fromEntries(
        measured.flatMap(({ name }, at) => [
          [figureName('memory', name, 'idle'), idle[at] ?? 0],
          [figureName('memory', name, 'streams'), loaded[at] ?? 0],
        ]),
      ),
    }
  },
}

/** The most memory until it stops to grow. */
async function underStreams(lab: Lab, target: Target): Promise<number> {
  const samples: number[] = []
  lab.upstream.gapMs = manyStreams.gapMs
  const ends = { maxCalls: Infinity }
  const sampling = setInterval(() => {
    samples.push(memoryOf(target.processIds()))
    if (isPlateau(samples) || samples.length >= maxSamples) ends.maxCalls = 0
  }, sampleMs)
  await lab.count(target, () =>
    load({
      port: target.port,
      connections: manyStreams.connections,
      request: requestFor(target, manyStreams),
      milliseconds: maxSamples * sampleMs,
      get maxCalls() {
        return ends.maxCalls
      },
    }),
  )
  clearInterval(sampling)
  return Math.max(...samples)
}
