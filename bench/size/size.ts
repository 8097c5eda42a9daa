import { parseArgs } from 'node:util'

import { openSqlite, type Database } from '../../gateway/src/platform/store/database'
import { openPostgres } from '../../gateway/src/platform/store/postgres'
import { backlogOf } from './backlog'
import { allCalls } from './calls'
import { compareEarnings, type EarningsComparison } from './earnings'
import { measureRouting } from './routing'
import { chartPages, endBrowser, measureChartPage, type PageCost } from './page'
import { quantile } from '../quantile'
import { measureRemoval } from './removal'
import { openSite, type Site } from './site'
import { measureStrategies } from './strategies'
import { measureSwap } from './swap'
import { allowedMs, isSlow, lineOf, walk } from './walk'
import { measureMonth, measureWork, sorted, type Phase } from './work'

/**
 * What a gateway on filled data (`bun run bench:fill`) costs: every question of the console, dashboard and earnings in a browser, its start, the swap of its catalog,
 * the choice of a channel, and what calls suffer from periodic work and deletion. The folder is written to: a password, an
 * option, a channel's name; the part `work` deletes some of its oldest log rows.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    'database-url': { type: 'string', default: process.env['DATABASE_URL'] ?? '' },
    /** Of: calls, page, swap, routing, work; and earnings, which adds up the whole log; month, of PostgreSQL, which drops the oldest; and removal, of SQLite, which removes what it can in half a minute. */
    parts: { type: 'string', default: 'calls,page,swap,routing,work' },
    rounds: { type: 'string', default: '5' },
    /** Calls whose name holds this alone. */
    only: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
  },
})

// at its exit the gateway ends with it
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

if (!values.data) throw new Error('Name the data folder with --data')
const databaseUrl = values['database-url']
const open = () => openSite({ dataDir: values.data, databaseUrl })
const parts = new Set(values.parts.split(','))
const report: Record<string, unknown> = { database: databaseUrl ? 'postgres' : 'sqlite' }

if (parts.has('routing')) Object.assign(report, { routing: routing(), strategies: strategies() })
if (['calls', 'page', 'swap', 'earnings'].some((part) => parts.has(part))) await onSite()
if (parts.has('work')) report['work'] = await onDatabase((database) => measureWork(backlogOf(database), open))
if (parts.has('month')) report['month'] = await onDatabase((database) => measureMonth(database, open))
if (parts.has('removal')) report['removal'] = await removal()
if (values.json) await Bun.write(values.json, JSON.stringify(report, null, 2))
process.exit()

function routing() {
  const costs = measureRouting()
  for (const { channels, build, swap, choose, chooseFirst, chooseInOutage } of costs) {
    console.log(
      `${channels} channels: catalog built in ${build.toFixed(1)} ms, after an edit in ${swap.toFixed(1)} ms; a channel chosen in ${choose.toFixed(2)} us, ` +
        `the first time for a model in ${chooseFirst.toFixed(0)} us, while all fail in ${chooseInOutage.toFixed(0)} us`,
    )
  }
  return costs
}

function strategies() {
  const costs = measureStrategies()
  for (const { channels, byWeight, byMix, conversation, conversationByMix, scoredAnew, ...first } of costs) {
    console.log(
      `${channels} channels of one model: chosen by weight in ${byWeight.toFixed(2)} us, by a strategy in ${byMix.toFixed(2)} us, ` +
        `for a conversation in ${conversation.toFixed(2)} and ${conversationByMix.toFixed(2)} us, with scores computed anew in ` +
        `${scoredAnew.toFixed(0)} us, the first time after an edit of a channel in ${first.afterEdit.toFixed(0)} us, of prices in ${first.afterPrices.toFixed(0)} us`,
    )
  }
  return costs
}

async function onSite() {
  const site = await open()
  try {
    report['startMs'] = site.startMs
    console.log(`start until ready: ${site.startMs.toFixed(0)} ms`)
    if (parts.has('swap')) {
      const { edit, held } = (report['swap'] = await measureSwap(site))
      console.log(`edit of a channel: answered in ${edit.toFixed(0)} ms, other calls waited ${held.toFixed(0)} ms`)
    }
    if (parts.has('page')) report['page'] = await pages(site)
    if (parts.has('earnings')) report['earnings'] = await earnings(site)
    if (!parts.has('calls')) return
    const calls = allCalls(Math.floor(Date.now() / 1000)).filter(({ name }) => name.includes(values.only))
    const measured = (report['calls'] = await walk(site, calls, Number(values.rounds)))
    const slow = measured.filter(isSlow).toSorted((one, other) => other.best - one.best)
    console.log(`${measured.length} calls, ${slow.length} take more than ${allowedMs} ms, slowest first:`)
    for (const one of slow) console.log(lineOf(one))
  } finally {
    await site.gateway.stop()
  }
}

async function pages(site: Site) {
  const costs: PageCost[] = []
  for (const page of chartPages)
    for (const days of [1, 90]) {
      const cost = await measureChartPage(site, page, days)
      costs.push(cost)
      const { best, median, nodes } = cost
      const steps = Object.entries(best).map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
      console.log(
        `${page.name} of ${days} days: ${steps.join(', ')} ms (chart of the median ${median.chart.toFixed(0)}), ${nodes} elements`,
      )
    }
  await endBrowser()
  return costs
}

async function earnings(site: Site) {
  const compared: EarningsComparison[] = []
  for await (const comparison of compareEarnings(site, values.data, databaseUrl)) {
    const { name, ms, logMs, calls, rows, different } = comparison
    compared.push(comparison)
    console.log(
      `earnings of ${name}: ${calls} calls in ${rows} rows, answered in ${ms.toFixed(0)} ms, the log added up in ${(logMs / 1000).toFixed(1)} s: ` +
        (different.length === 0 ? 'equal' : `DIFFERENT: ${different.slice(0, 5).join('; ')}`),
    )
    if (different.length > 0) process.exitCode = 1
  }
  return compared
}

async function onDatabase(measure: (database: Database) => Promise<Phase[]>) {
  const database = databaseUrl ? openPostgres(databaseUrl) : openSqlite(`${values.data}/tollgate.sqlite`)
  const phases = await measure(database)
  await database.close()
  return [...new Set(phases.map(({ concurrent }) => concurrent))].map((concurrent) => {
    const these = phases.filter((phase) => phase.concurrent === concurrent)
    const failures = these.reduce((sum, phase) => sum + phase.failures, 0)
    const all = sorted(these)
    const [p50, p99, max] = [quantile(all, 0.5), quantile(all, 0.99), quantile(all, 1)]
    const p99s = these.map(({ latencies }) => quantile(latencies, 0.99)).toSorted((one, other) => one - other)
    console.log(
      `${all.length} calls beside ${concurrent}, ${failures} failed: p50 ${inMs(p50)}, p99 ${inMs(p99)}, longest ${inMs(max)}; ` +
        `p99 of each of ${these.length} times ${p99s.map(inMs).join(', ')}`,
    )
    return { concurrent, calls: all.length, failures, p50, p99, longest: max, p99s }
  })
}

async function removal() {
  const cost = await measureRemoval(`${values.data}/tollgate.sqlite`)
  const { rows, ...times } = cost
  console.log(`${rows} log rows were removed; median, p99 and longest in ms:`)
  for (const [name, { median, p99, max }] of Object.entries(times))
    console.log(`  ${name}: ${median.toFixed(2)}, ${p99.toFixed(1)}, ${max.toFixed(1)}`)
  return cost
}

function inMs(ms: number): string {
  return `${ms.toFixed(1)} ms`
}
