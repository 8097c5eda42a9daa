import { expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit } from '../ledger-audit'
import { call } from '../call'
import { until } from '../ledger-view'
import { filterServed, startLoad, type Seen } from '../load'
import { reconcile } from '../reconcile'
import { startOwnPostgres } from '../soak/servers'
import { aProcessWorld } from '../world'

/** `OUTAGE_SECONDS=30 bun test e2e/outage/stopped.test.ts` takes longer and prints what it saw. */
const seconds = Number(process.env['OUTAGE_SECONDS'] ?? 2)
setDefaultTimeout((seconds + 60) * 1000)

const postgres = await startOwnPostgres()
const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]

test.skipIf(!postgres)(`PostgreSQL stopped for ${seconds} s under load loses nothing`, async () => {
  if (!postgres) return
  await using _server = { [Symbol.asyncDispose]: () => postgres.remove() }
  await using world = await aProcessWorld({
    gateway: { databaseUrl: postgres.url },
    simulator: { defaults: { tokens: 20, ttftMs: 30, gapMs: 1 } },
    options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 2 } },
  })
  // Without a limit on the response every call reserves the same small amount, as most do.
  const load = startLoad(world.gateway, world.key, { model, callers: 8 })
  await load.more(200)
  const stoppedAt = performance.now()
  await postgres.process.stop('SIGINT')
  await Bun.sleep(seconds * 1000)
  await postgres.process.start()
  const startedAt = performance.now()
  const ready = await until(
    () => fetch(`${world.gateway.url}/health/ready`),
    ({ ok }) => ok,
  )
  expect(ready.status).toBe(200)
  const readyAt = performance.now()
  await using ledgerAudit = openLedgerAudit(world.gateway.dataDir, postgres.url)
  const first = await until(
    () => call(world.gateway, world.key, { model, messages }),
    ({ status }) => status === 200,
  )
  expect(first.status).toBe(200)
  const servedAt = performance.now()
  await load.more(100)
  const seen = await load.stop()
  const charged = await until(
    async () => (await ledgerAudit.charges()).length,
    (count) => count === world.simulator.requests.length,
  )
  const appliedAt = performance.now()
  expect(charged).toBe(world.simulator.requests.length)
  expect(await world.gateway.stop()).toBe(0)

  for (const call of seen) expectServedOrRefused(call)
  await reconcile(ledgerAudit, world.simulator, filterServed(seen))
  if (process.env['OUTAGE_SECONDS']) {
    const during = seen.filter(({ endedAt }) => endedAt > stoppedAt && endedAt <= startedAt)
    const lastServed = filterServed(during).at(-1)?.endedAt ?? stoppedAt
    const report = {
      before: statuses(seen.filter(({ endedAt }) => endedAt <= stoppedAt)),
      during: statuses(during),
      after: statuses(seen.filter(({ endedAt }) => endedAt > startedAt)),
      secondsServedFromLeases: (lastServed - stoppedAt) / 1000,
      secondsUntilReady: (readyAt - startedAt) / 1000,
      secondsUntilServed: (servedAt - startedAt) / 1000,
      secondsUntilJournalApplied: (appliedAt - startedAt) / 1000,
      slowestSeconds: Math.max(...seen.map(({ startedAt, endedAt }) => endedAt - startedAt)) / 1000,
      charges: charged,
      requestsOfUpstream: world.simulator.requests.length,
    }
    process.stdout.write(`${Bun.inspect(report)}\n`)
  }
})

function expectServedOrRefused({ status, isWhole, text }: Seen): void {
  expect(isWhole || status === 503).toBe(true)
  if (status !== 200)
    expect({ status, text }).toMatchObject({ status: 503, text: expect.stringContaining('ledger.unavailable') })
}

function statuses(seen: readonly Seen[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of seen) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
