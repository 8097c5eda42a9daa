import { parseArgs } from 'node:util'

import { buildConsole } from '../scripts/build-console'
import { startGateway } from '../e2e/gateway'
import { theBrowser } from '../e2e/browser/chromium'
import { aUsedSite } from '../e2e/browser/pages/used-site'
import { aVisitor } from '../e2e/browser/visitor'
import { medianOf } from './quantile'

/**
 * How long a first visit of the usage log takes until its rows can be used, in headless Chromium with nothing in its cache, over a
 * connection on which every request takes a round trip: `bun run bench:first-load`. Leave the machine alone meanwhile.
 */
const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '9' },
    /** Milliseconds. */
    'round-trip': { type: 'string', default: '100' },
    path: { type: 'string', default: '/app/logs/api-usage' },
    /** What stands there once the page can be used. */
    ready: { type: 'string', default: 'tbody tr[data-row]' },
    /** Every request of the fastest visit, with when it was sent and answered. */
    requests: { type: 'boolean', default: false },
  },
})

interface Request {
  readonly name: string
  readonly startTime: number
  readonly responseEnd: number
}

/** Milliseconds since the address was opened. */
interface Visit {
  readonly usable: number
  readonly milestones: Readonly<Record<string, number>>
  readonly requests: readonly Request[]
}

await buildConsole()
const site = await aUsedSite(200, startGateway)
const visits: Visit[] = []
for (let visit = 0; visit < Number(values.visits); visit += 1) visits.push(await aVisit())
await (await theBrowser()).close()
await site[Symbol.asyncDispose]()
report()

async function aVisit(): Promise<Visit> {
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
  // The page notes it: the way of an answer to the test is not the visitor's.
  await page.addInitScript((ready) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(ready)) return
      observer.disconnect()
      requestAnimationFrame(() => performance.mark('usable'))
    })
    observer.observe(document, { childList: true, subtree: true })
  }, values.ready)
  await page.goto(values.path, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0)
  const { usable, html, painted, requests } = await page.evaluate(() => ({
    usable: performance.getEntriesByName('usable')[0]?.startTime ?? NaN,
    html: performance.getEntriesByType('navigation').map((entry) => entry.toJSON().responseEnd as number)[0] ?? NaN,
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    requests: performance.getEntriesByType('resource').map((entry) => {
      const { name, startTime, responseEnd } = entry.toJSON() as Request
      return { name: new URL(name).pathname, startTime, responseEnd }
    }),
  }))
  const isCode = ({ name }: Request) => name.startsWith('/assets/') && name.endsWith('.js')
  const isData = ({ name }: Request) => /^\/api\/(?!status)/.test(name)
  const last = (kind: (request: Request) => boolean) => Math.max(...requests.filter(kind).map((one) => one.responseEnd))
  return {
    usable,
    requests,
    milestones: {
      'document there': html,
      'code there': last(isCode),
      'status there': last(({ name }) => name === '/api/status'),
      'first data asked for': Math.min(...requests.filter(isData).map(({ startTime }) => startTime)),
      'first contentful paint': painted,
      usable,
    },
  }
}

function report(): void {
  const fastest = visits.toSorted((one, other) => one.usable - other.usable)[0]
  console.log(
    `${values.path} at a round trip of ${values['round-trip']} ms, ${visits.length} first visits; ms, least and median:`,
  )
  for (const name of Object.keys(fastest?.milestones ?? {})) {
    const times = visits.map(({ milestones }) => milestones[name] ?? NaN)
    console.log(name.padEnd(24) + [Math.min(...times), medianOf(times)].map(column).join(''))
  }
  if (!values.requests) return
  for (const { name, startTime, responseEnd } of fastest?.requests ?? [])
    console.log(`${[startTime, responseEnd].map(column).join('')}  ${name}`)
}

function column(ms: number): string {
  return ms.toFixed(0).padStart(6)
}
