import { Lab } from '../lab'
import { load, type LoadResult } from '../load'
import type { LoadOptions } from '../load-run'
import { requestFor, warmUp } from '../measure'
import { memoryOf } from '../processes'
import { quantile } from '../quantile'
import { uploadTo } from '../requests'
import { hundred } from '../scenarios'
import { cell, table } from '../tables'
import type { Target } from '../targets'
import { everyTarget, figureName, type Figures, type Part } from './part'

const fileBytes = 20 * 1024 * 1024
const megabyte = 1024 * 1024
const uploads = 10
const pauseMs = 300
const sampleMs = 3
const restMs = 2000

export const upload: Part = {
  name: 'upload',
  title: 'Uploads',
  about:
    'Edits of an image of 20 MB, as a form, one after the other with a pause. Memory in MB: the most that all processes of a target have beyond ' +
    'what they had before the first one, during the first and during ten. Lateness in ms: of 100 streams, a frame every 20 ms, alone and beside uploads.',
  async run(settings) {
    await using lab = await Lab.open(settings.cores, everyTarget(settings))
    await warmUp(lab)
    const rows: Row[] = []
    for (const target of lab.targets) rows.push(await uploading(lab, target, settings.milliseconds))
    const verdict = await lab.close()
    return {
      verdict,
      text: table(
        ['', 'one upload', 'ten uploads', 'seconds each', 'late p99 alone', 'late p99 beside', 'latest beside'],
        rows.map(({ name, first, ten, seconds, alone, concurrent, latest }) => [
          name,
          cell(first, 0),
          cell(ten, 0),
          cell(seconds, 3),
          cell(alone, 1),
          cell(concurrent, 1),
          cell(latest, 1),
        ]),
      ),
      figures: Object.fromEntries(rows.flatMap(figuresOf)),
    }
  },
}

interface Row {
  readonly name: string
  /** Megabytes; null where the target has no process of its own. */
  readonly first: number | null
  readonly ten: number | null
  readonly seconds: number
  readonly alone: number
  readonly concurrent: number
  readonly latest: number
}

const figuresOf = ({ name, first, ten, concurrent }: Row): [string, Figures[string]][] => [
  [figureName('upload', name, 'first'), first ?? 0],
  [figureName('upload', name, 'beyondOneCopy'), (ten ?? 0) - fileBytes / megabyte],
  [figureName('upload', name, 'lateP99'), concurrent],
]

async function uploading(lab: Lab, target: Target, milliseconds: number): Promise<Row> {
  const request = uploadTo(target, fileBytes)
  const options = { port: target.port, connections: 1, request, milliseconds: Infinity, pauseMs }
  // The code of forms is compiled, and the answer made.
  const small = uploadTo(target, 1000)
  await lab.count(target, () => load({ ...options, request: small, pauseMs: 0, maxCalls: 200 }))
  await Bun.sleep(restMs)
  const one = await growthIn(lab, target, { ...options, maxCalls: 1 })
  const ten = await growthIn(lab, target, { ...options, maxCalls: uploads - 1 }, one)
  lab.upstream.gapMs = hundred.gapMs
  const streams = {
    port: target.port,
    connections: hundred.connections,
    request: requestFor(target, hundred),
    milliseconds,
    maxCalls: Infinity,
    paceMs: hundred.gapMs,
  }
  const alone = await lab.count(target, () => load(streams))
  const concurrent = await lab.count(target, async () => {
    const [result, company] = await Promise.all([load(streams), load({ ...options, milliseconds, maxCalls: Infinity })])
    return { ...result, failures: result.failures + company.failures }
  })
  return {
    name: target.name,
    first: one.grown,
    ten: ten.grown,
    seconds: quantile(ten.result.latencies, 0.5) / 1000,
    alone: quantile(alone.lateness, 0.99),
    concurrent: quantile(concurrent.lateness, 0.99),
    latest: quantile(concurrent.lateness, 1),
  }
}

interface Growth {
  /** Megabytes before the first upload. */
  readonly before: number
  readonly grown: number | null
  readonly result: LoadResult
}

/** The most memory during a load, beyond that before it or before an earlier one. */
async function growthIn(lab: Lab, target: Target, options: LoadOptions, earlier?: Growth): Promise<Growth> {
  const processIds = target.processIds()
  const memory = () => (processIds.length === 0 ? 0 : memoryOf(processIds))
  const before = earlier?.before ?? memory()
  let max = before + (earlier?.grown ?? 0)
  const sampling = setInterval(() => {
    max = Math.max(max, memory())
  }, sampleMs)
  const result = await lab.count(target, () => load(options))
  clearInterval(sampling)
  return { before, grown: processIds.length === 0 ? null : max - before, result }
}
