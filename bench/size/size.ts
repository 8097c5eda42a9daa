import { parseArgs } from 'node:util'

import { allCalls, type Call } from './calls'
import { openSite, type Site } from './site'
import { measureSwap } from './swap'

/**
 * Ask a gateway on filled data (`bun run bench:fill`) every question of the console, and tell which take longer than they may.
 * The folder is written to a little: a password, an option, a channel's name.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    'database-url': { type: 'string', default: process.env['DATABASE_URL'] ?? '' },
    rounds: { type: 'string', default: '5' },
    /** Calls whose name holds this alone. */
    only: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
  },
})

/** Milliseconds. */
const allowed = 50

interface Measured {
  readonly name: string
  /** The first of its kind, on a cache that may not hold its rows. */
  readonly cold: number
  readonly median: number
  readonly max: number
}

// at its exit the gateway ends with it
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

if (!values.data) throw new Error('Name the data folder with --data')
const site = await openSite({ dataDir: values.data, databaseUrl: values['database-url'] })
try {
  const calls = allCalls(Math.floor(Date.now() / 1000)).filter(({ name }) => name.includes(values.only))
  const measured: Measured[] = []
  for (const call of calls) {
    const one = await measure(site, call, Number(values.rounds))
    measured.push(one)
    if (one.median > allowed) console.log(lineOf(one))
  }
  const slow = measured.filter(({ median }) => median > allowed).toSorted((one, other) => other.median - one.median)
  console.log(`\nSlowest first:`)
  for (const one of slow) console.log(lineOf(one))
  const worst = (pick: (one: Measured) => number) => Math.max(...measured.map(pick)).toFixed(0)
  console.log(`${measured.length} calls, ${slow.length} with a median above ${allowed} ms`)
  console.log(`slowest median ${worst(({ median }) => median)} ms, slowest of all ${worst(({ max }) => max)} ms`)
  const catalog = await measureSwap(site)
  console.log(`start until ready: ${site.startMs.toFixed(0)} ms`)
  console.log(
    `edit of a channel: answered in ${catalog.edit.toFixed(0)} ms, other calls waited ${catalog.held.toFixed(0)} ms`,
  )
  const database = values['database-url'] ? 'postgres' : 'sqlite'
  if (values.json) {
    await Bun.write(values.json, JSON.stringify({ database, startMs: site.startMs, catalog, calls: measured }, null, 2))
  }
} finally {
  await site.gateway.stop()
}

async function measure(site: Site, call: Call, rounds: number): Promise<Measured> {
  const cold = await site.time(call)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await site.time(call))
  times.sort((one, other) => one - other)
  return { name: call.name, cold, median: times[times.length >> 1] ?? cold, max: times.at(-1) ?? cold }
}

function lineOf({ name, cold, median, max }: Measured): string {
  return `${median.toFixed(0).padStart(6)} ms  (max ${max.toFixed(0)}, first ${cold.toFixed(0)})  ${name}`
}
