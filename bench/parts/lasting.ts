import { Lab } from '../lab'
import { load } from '../load'
import type { LoadOptions } from '../load-run'
import { requestFor } from '../measure'
import { memoryOf } from '../processes'
import { growthOf, slopeOf } from '../samples'
import { manyStreams } from '../scenarios'
import { table } from '../tables'
import { startTollgate } from '../tollgate'
import { figureName, type Findings, type Part, type Settings } from './part'

const day = 86_400_000

export const aborts: Part = {
  name: 'aborts',
  title: 'Streams that clients leave',
  about:
    'One client after the other breaks its connection after one to eight reads of a stream, 64 at a time; each is charged for what it ' +
    'got. A tenth as many go before as warm-up. Memory in MB; growth is that of the last quarter of the samples over the second.',
  run: (settings) =>
    lasting(settings, 'aborts', {
      everyMs: 200,
      gapMs: 4,
      first: Math.ceil(settings.aborts / 10),
      load: { connections: 64, milliseconds: day, maxCalls: settings.aborts, leavesEarly: true },
    }),
}

export const lastingStreams: Part = {
  name: 'minutes',
  title: '400 streams for minutes',
  about:
    '400 streams, a frame every 50 ms, one after another. Memory in MB, every 5 s; growth is that of the last quarter of the samples over ' +
    'the second, slope that of the last half.',
  isLong: true,
  run: (settings) =>
    lasting(settings, 'minutes', {
      everyMs: 5000,
      gapMs: manyStreams.gapMs,
      load: { connections: manyStreams.connections, milliseconds: settings.minutes * 60_000, maxCalls: Infinity },
    }),
}

interface Lasting {
  readonly everyMs: number
  readonly gapMs: number
  /** Streams before memory is looked at, so that growth is not that of code being compiled. Default 0. */
  readonly first?: number
  readonly load: Omit<LoadOptions, 'port' | 'request'>
}

/** The governed gateway under one load, its memory sampled. */
async function lasting(
  settings: Settings,
  name: string,
  { everyMs, gapMs, first = 0, load: kind }: Lasting,
): Promise<Findings> {
  await using lab = await Lab.open(settings.cores, [startTollgate])
  const [target] = lab.targets
  if (!target) throw new Error('The gateway is missing')
  lab.upstream.gapMs = gapMs
  const request = requestFor(target, manyStreams)
  const under = (maxCalls: number) => lab.count(target, () => load({ ...kind, port: target.port, request, maxCalls }))
  await under(first)
  const memory = () => memoryOf(target.processIds())
  const before = memory()
  const leftBefore = lab.upstream.served.aborted
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(memory()), everyMs)
  const result = await under(kind.maxCalls)
  clearInterval(sampling)
  await Bun.sleep(restMs)
  const after = memory()
  const left = lab.upstream.served.aborted - leftBefore
  const verdict = await lab.close()
  const growth = growthOf(samples)
  const slopeAnHour = (slopeOf(samples.slice(Math.floor(samples.length / 2))) * 3_600_000) / everyMs
  const cells = [result.calls, left, before, samples[0] ?? before, Math.max(...samples, before), after]
  return {
    verdict,
    text: table(
      ['', 'streams', 'left by clients', 'before', 'first', 'most', 'after', 'growth', 'slope MB/hour', 'seconds'],
      [
        [
          'Tollgate',
          ...cells.map((value) => value.toFixed(0)),
          `${(growth * 100).toFixed(1)} %`,
          result.seconds < minSeconds ? '–' : slopeAnHour.toFixed(1),
          result.seconds.toFixed(0),
        ],
      ],
    ),
    figures: { [figureName(name, 'Tollgate', 'growth')]: growth },
  }
}

/** Below it a slope says nothing about an hour. */
const minSeconds = 60
/** For what was begun to be cleared away. */
const restMs = 3000
