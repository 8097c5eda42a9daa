import { parseArgs } from 'node:util'

import { buildConsole } from '../scripts/build-console'
import { startGateway } from '../e2e/gateway'
import { theBrowser } from '../e2e/browser/chromium'
import { aUsedSite } from '../e2e/browser/pages/used-site'
import { aVisitor } from '../e2e/browser/visitor'
import { medianOf } from './quantile'

/**
 * How long a first visit of each page takes until it can be used, in headless Chromium with nothing in its cache, over a connection on
 * which every request takes a round trip, by a processor that may be slowed down: `bun run bench:first-load`. Leave the machine alone
 * meanwhile.
 */
const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '5' },
    /** Milliseconds. */
    'round-trip': { type: 'string', default: '60' },
    /** How many times slower the processor of the browser is. */
    slower: { type: 'string', default: '4' },
    /** Only this one of `pages`. */
    page: { type: 'string' },
    /** Every request of the fastest visit, with when it was sent and answered. */
    requests: { type: 'boolean', default: false },
  },
})

/** What stands on a page once it can be used. */
const pages: Readonly<Record<string, string>> = {
  '/app/dashboard': 'main tbody td',
  '/app/logs/api-usage': 'tbody tr[data-row]',
  '/app/tokens': 'tbody tr[data-row]',
  '/app/wallet': 'main form',
  '/admin/channels': 'tbody tr[data-row]',
  '/admin/prices': 'tbody tr[data-row]',
  '/admin/users': 'tbody tr[data-row]',
  '/admin/settings': 'main input',
  '/playground': 'main textarea',
  '/pricing': 'main tbody tr',
}

interface Request {
  readonly name: string
  readonly startTime: number
  readonly responseEnd: number
}

/** Milliseconds since the address was opened, except `shift`. */
interface Visit {
  readonly milestones: Readonly<Record<(typeof columns)[number], number>>
  readonly requests: readonly Request[]
}

/** `blocked`: the sum of what every task takes beyond 50 ms; `shift`: the sum of all layout shifts, in thousandths. */
const columns = ['code', 'paint', 'data', 'usable', 'blocked', 'shift'] as const

await buildConsole()
await theBrowser({ isOptimized: true })
const site = await aUsedSite(200, startGateway)
console.log(
  `${values.visits} first visits, round trip ${values['round-trip']} ms, processor ${values.slower} times slower: medians\n`,
)
console.log(''.padEnd(24) + columns.map((name) => name.padStart(9)).join(''))
for (const [path, ready] of Object.entries(pages)) {
  if (values.page !== undefined && values.page !== path) continue
  const visits: Visit[] = []
  for (let visit = 0; visit < Number(values.visits); visit += 1) visits.push(await aVisit(path, ready))
  report(path, visits)
}
await (await theBrowser()).close()
await site[Symbol.asyncDispose]()

async function aVisit(path: string, ready: string): Promise<Visit> {
  await using visitor = await aVisitor(site.url, { session: site.sessions.root, language: 'en', isCold: true })
  const { page, context } = visitor
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: Number(values['round-trip']),
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slower) })
  // The page notes it: the way of an answer to the test is not the visitor's.
  await page.addInitScript((selector) => {
    const noted = { blocked: 0, shift: 0 }
    Object.assign(window, { noted })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.blocked += duration - 50
    }).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.shift += 1000 * (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector)) return
      observer.disconnect()
      requestAnimationFrame(() => performance.mark('usable'))
    })
    observer.observe(document, { childList: true, subtree: true })
  }, ready)
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0)
  // What comes after the rows may still move them.
  await page.waitForLoadState('networkidle')
  const { usable, paint, noted, requests } = await page.evaluate(() => ({
    usable: performance.getEntriesByName('usable')[0]?.startTime ?? NaN,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    noted: (window as unknown as { noted: { blocked: number; shift: number } }).noted,
    requests: performance.getEntriesByType('resource').map((entry) => {
      const { name, startTime, responseEnd } = entry.toJSON() as Request
      return { name: new URL(name).pathname, startTime, responseEnd }
    }),
  }))
  const last = (kind: (request: Request) => boolean) =>
    Math.max(...requests.filter((one) => kind(one) && one.startTime < usable).map((one) => one.responseEnd))
  const code = last(({ name }) => name.startsWith('/assets/') && name.endsWith('.js'))
  const data = last(({ name }) => name.startsWith('/api/'))
  return { requests, milestones: { code, paint, data, usable, ...noted } }
}

function report(path: string, visits: readonly Visit[]): void {
  const figures = columns.map((name) => medianOf(visits.map(({ milestones }) => milestones[name])))
  console.log(path.padEnd(24) + figures.map(column).join(''))
  if (!values.requests) return
  const fastest = visits.toSorted((one, other) => one.milestones.usable - other.milestones.usable)[0]
  for (const { name, startTime, responseEnd } of fastest?.requests ?? [])
    console.log(`${[startTime, responseEnd].map(column).join('')}  ${name}`)
}

function column(value: number): string {
  return value.toFixed(0).padStart(9)
}
