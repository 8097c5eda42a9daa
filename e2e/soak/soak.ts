import { parseArgs } from 'node:util'

import { runLogOutage } from './log-outage'
import { problemsOf, summaryLines } from './report'
import { run } from './run'

const usage = `Torture a gateway, and compare every figure after each round.

  bun run soak [--database sqlite|postgres] [--workers 1] [--gateways 1] [--rounds N | --minutes 2 | --tasks N] [--seed S]
               [--faults kill-all,disk-full] [--json file]
  bun run soak --log-outage MINUTES [--calls-per-second 20] [--database sqlite|postgres]

Exit code 1: something was lost, doubled, overspent, miscounted or left behind. A failed round is repeated with its own
seed and --rounds 1.`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    /** Rounds until this many tasks were submitted. */
    tasks: { type: 'string' },
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    database: { type: 'string', default: 'sqlite' },
    workers: { type: 'string', default: '1' },
    gateways: { type: 'string', default: '1' },
    faults: { type: 'string' },
    json: { type: 'string' },
    /** Kills ClickHouse for this many minutes instead, under a load at a pace. */
    'log-outage': { type: 'string' },
    'calls-per-second': { type: 'string', default: '20' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

// Otherwise the processes started here would stay behind. A signal may come twice, from the terminal and from `bun run`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

if (values.help) console.log(usage)
else process.exitCode = values['log-outage'] === undefined ? await torture() : await logOutage(values['log-outage'])
process.exit()

async function logOutage(minutes: string): Promise<number> {
  const problems = await runLogOutage({
    database: databaseOf(values.database),
    minutes: Number(minutes),
    callsPerSecond: count(values['calls-per-second']),
    print: (line) => console.log(`${new Date().toISOString()} ${line}`),
  })
  for (const problem of problems) console.log(problem)
  return problems.length === 0 ? 0 : 1
}

function databaseOf(text: string): 'sqlite' | 'postgres' {
  return text === 'postgres' ? 'postgres' : 'sqlite'
}

async function torture(): Promise<number> {
  const database = databaseOf(values.database)
  const [workers, gateways, seed] = [count(values.workers), count(values.gateways), count(values.seed)]
  if (database === 'sqlite' && gateways > 1) throw new RangeError('Several gateways need --database postgres')
  const rounds = values.rounds === undefined ? Infinity : count(values.rounds)
  const maxTasks = values.tasks === undefined ? Infinity : count(values.tasks)
  const milliseconds = rounds === Infinity && maxTasks === Infinity ? Number(values.minutes) * 60_000 : Infinity
  console.log(`${database}, ${gateways} gateways with ${workers} workers, seed ${seed}`)
  const report = await run({
    database,
    workers,
    gateways,
    seed,
    only: values.faults?.split(','),
    isEnough: (played, elapsed, tasks) => played >= rounds || tasks >= maxTasks || elapsed >= milliseconds,
    print: (line) => console.log(line),
  })
  for (const line of summaryLines(report)) console.log(line)
  if (values.json !== undefined) await Bun.write(values.json, `${JSON.stringify(report, null, 2)}\n`)
  return problemsOf(report).length === 0 ? 0 : 1
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${text} is not a whole number`)
  return value
}
