import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { choose } from './choose'
import { recordCost } from './history'
import { Lab } from './lab'
import { describeMachine } from './machine'
import { parts } from './parts'
import { everyTarget, figureName, type Figures, type Findings, type Part, type Settings } from './parts/part'
import { shareCores } from './processes'
import { profileScenario } from './profile'
import { reportOf, type Outcome } from './report'

const usage = `Measures the gateway beside its upstream, nginx and Portkey.

  bun run bench                       every part except the long one; writes bench/RESULTS.md
    --only calls,streams-100          these parts or scenarios; writes nothing unless told where
    --seconds 2 --rounds 2            of each measurement; how often all are measured in turn
    --portkey FOLDER                  with the Portkey gateway that is installed there
    --aborts 100000                   streams that clients leave
    --minutes 20                      and 400 streams for that long
    --results FILE --json FILE        where to write
    --record                          add a line to bench/history.csv: what a call cost at this commit
  bun run bench --profile streams-32  where one scenario spends its time

Parts: ${parts.map(({ name }) => name).join(', ')}
Scenarios: ${parts.flatMap(({ scenarios = [] }) => scenarios).join(', ')}`

/** Length of the long part when it is selected by name. */
const defaultMinutes = 20

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '2' },
    portkey: { type: 'string' },
    aborts: { type: 'string', default: '100000' },
    minutes: { type: 'string' },
    results: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const outcomes: Outcome[] = []
const facts: string[] = []

// What was started ends with this process, which it hears of only when that exits by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (outcomes.length > 0) console.log(reportOf(facts, outcomes))
    process.exit(130)
  })
}

if (values.help) console.log(usage)
else if (values.profile) console.log(await profileScenario(values.profile, numberOf('seconds') * 1000))
else await run()
process.exit()

async function run(): Promise<void> {
  const choice = choose(parts, values.only?.split(',') ?? null, values.minutes !== undefined)
  const cores = shareCores()
  const settings: Settings = {
    cores,
    milliseconds: numberOf('seconds') * 1000,
    rounds: numberOf('rounds'),
    portkey: values.portkey ?? null,
    aborts: numberOf('aborts'),
    minutes: values.minutes === undefined ? defaultMinutes : numberOf('minutes'),
    isSelected: (scenario) => choice.isSelected(scenario),
  }
  await tryTargets(settings)
  facts.push(...describeMachine(cores), `Each measurement: ${values.rounds} × ${values.seconds} s`)
  for (const part of choice.parts) {
    console.error(`${part.name} …`)
    outcomes.push({ part, findings: await findingsOf(part, settings) })
  }
  await printProgress()
  if (outcomes.some(({ findings }) => findings.verdict.wrong.length > 0)) process.exitCode = 1
  else if (values.record) record()
}

function numberOf(name: 'seconds' | 'rounds' | 'aborts' | 'minutes'): number {
  const number = Number(values[name])
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0`)
  return number
}

/** Small calls over 32 connections: what the first bar asks about. */
function record(): void {
  const figures: Figures = Object.assign({}, ...outcomes.map(({ findings }) => findings.figures))
  const cpuOf = (target: string) => figures[figureName('calls-32', target, 'cpuPerCall')] ?? NaN
  const microseconds = cpuOf('Tollgate')
  recordCost(join(import.meta.dir, '..'), { toNginx: microseconds / cpuOf('nginx'), microseconds })
}

/** A target that cannot be started would break off one part after the other. */
async function tryTargets(settings: Settings): Promise<void> {
  await using _lab = await Lab.open(settings.cores, everyTarget(settings))
}

/** One part that breaks off takes none of the others with it, but the run is void. */
async function findingsOf(part: Part, settings: Settings): Promise<Findings> {
  try {
    return await part.run(settings)
  } catch (error) {
    console.error(error)
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return { text: '', figures: {}, verdict: { calls: 0, wrong: [`The part broke off: ${reason}`] } }
  }
}

async function printProgress(): Promise<void> {
  const report = reportOf(facts, outcomes)
  console.log(report)
  const results = values.results ?? (values.only ? null : join(import.meta.dir, 'RESULTS.md'))
  if (results) {
    await Bun.write(results, `${report}\n`)
    Bun.spawnSync([join(import.meta.dir, '../node_modules/.bin/oxfmt'), results])
  }
  if (values.json) await Bun.write(values.json, `${JSON.stringify({ facts, outcomes }, null, 2)}\n`)
}
