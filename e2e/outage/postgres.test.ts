import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { call, type CallResponse } from '../call'
import { freshDatabase } from '../databases'
import { until } from '../ledger-view'
import { startLoad } from '../load'
import { reconcile } from '../reconcile'
import { openGate, type TcpGate } from '@tollgate/simulator'
import { aProcessWorld, type ProcessWorld } from '../world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const hasPostgres = Boolean(process.env['TEST_POSTGRES_URL'])
const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
/** A worker leases for many calls of the size it sees, so a large one makes a lease that outlasts a test. */
const largeTokens = 50_000
/** More than that lease holds and less than the balance. */
const hugeTokens = 5_000_000
/** An outage is logged when it begins and when it ends, not for each call. */
const outageLog = ['the database does not respond; calls go on while their leases last', 'the database responds again']
/** A statement on a silently dead connection is given up after ten seconds. */
const recoveryMs = 15_000

interface Scene {
  readonly world: ProcessWorld
  readonly ledgerAudit: LedgerAudit
  readonly gate: TcpGate
  /** Never used before, so the gateway must look it up in the database. */
  readonly freshKey: string
}

describe.skipIf(!hasPostgres).concurrent('PostgreSQL outages under load', () => {
  test('a database that refuses connections: calls continue from the lease, and what needs the database gets a Retry-After', async () => {
    const logged = await survives(
      ({ gate }) => gate.refuse(),
      async (scene) => {
        expect((await ready(scene)).status).toBe(503)
        expect((await fetch(`${scene.world.gateway.url}/health/live`)).status).toBe(200)
        expectRefused(await send(scene), { code: 'ledger.unavailable' })
        expectRefused(await send(scene, { path: '/v1/messages' }), { type: 'api_error' })
        expectRefused(await send(scene, { key: scene.freshKey, maxTokens: 10 }), { code: 'db.down' })
      },
    )
    expect(logged).toEqual(outageLog)
  })

  test('a database that hangs: every call returns soon, and a large call does not block others', async () => {
    await survives(
      ({ gate }) => gate.hang(),
      async (scene) => {
        const refused = await Promise.all([send(scene), send(scene)])
        for (const response of refused) expectRefused(response, { code: 'ledger.unavailable' })
        expect((await ready(scene)).status).toBe(503)
        expectRefused(await send(scene), { code: 'ledger.unavailable' })
      },
    )
  })

  test('a database that moves to another machine: silently dead connections are given up', async () => {
    const logged = await survives(
      ({ gate }) => gate.forget(),
      async () => {},
    )
    expect(logged).toEqual(outageLog)
  })
})

/** Keeps up a load before, during and after an outage, with other calls during it. Resolves with the log. */
async function survives(shut: (scene: Scene) => unknown, during: (scene: Scene) => Promise<void>): Promise<string[]> {
  await using database = await freshDatabase('postgres')
  const url = new URL(database.url)
  await using gate = await openGate(Number(url.port || 5432))
  url.host = `127.0.0.1:${gate.port}`
  await using world = await aProcessWorld({
    gateway: { databaseUrl: url.href },
    simulator: { defaults: { tokens: 20, ttftMs: 30, gapMs: 0 } },
    options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 2 } },
  })
  await using ledgerAudit = openLedgerAudit(world.gateway.dataDir, database.url)
  const scene = { world, ledgerAudit, gate, freshKey: await world.console.addToken({ name: 'fresh' }) }
  expect((await send(scene, { maxTokens: largeTokens })).status).toBe(200)
  const load = startLoad(world.gateway, world.key, { model, callers: 4, maxTokens: 100 })
  try {
    await load.more(20)
    await shut(scene)
    await load.more(40)
    await during(scene)
    await load.more(40)
    await gate.open()
    await recovers(scene)
    await load.more(20)
  } finally {
    await gate.open()
    await load.stop()
  }
  expect(load.seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([])
  await allIsCharged(scene)
  // The timer that reports it has its own interval.
  const messages = async () => databaseMessages(world)
  const logged = await until(messages, ({ length }) => length === outageLog.length, 4000)
  expect(await world.gateway.stop()).toBe(0)
  await reconcile(ledgerAudit, world.simulator, load.seen)
  return logged
}

/** Returns log messages about the database. */
const databaseMessages = ({ gateway }: ProcessWorld): string[] =>
  gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('the database'))
    .map((line) => String(JSON.parse(line).msg))

async function recovers(scene: Scene): Promise<void> {
  expect(
    (
      await until(
        () => ready(scene),
        ({ ok }) => ok,
        recoveryMs,
      )
    ).status,
  ).toBe(200)
  const isServed = ({ status }: CallResponse) => status === 200
  expect((await until(() => send(scene), isServed, recoveryMs)).status).toBe(200)
}

/** Checks that everything is charged without a restart: the journal recovers by itself. */
async function allIsCharged({ world, ledgerAudit }: Scene): Promise<void> {
  const requestsBefore = world.simulator.requests.length
  const charged = await until(
    async () => (await ledgerAudit.charges()).length,
    (count) => count === requestsBefore,
    recoveryMs,
  )
  expect(charged).toBe(requestsBefore)
}

const send = (
  { world }: Scene,
  { key = world.key, maxTokens = hugeTokens, path }: { key?: string; maxTokens?: number; path?: string } = {},
): Promise<CallResponse> =>
  call(world.gateway, key, { model, messages, max_tokens: maxTokens }, { path, timeoutMs: 30_000 })

const ready = ({ world }: Scene) => fetch(`${world.gateway.url}/health/ready`, { keepalive: false })

/** Checks for a refusal in the dialect's words, with a Retry-After. */
function expectRefused({ status, retryAfter, text }: CallResponse, error: object): void {
  expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 503, error })
  expect(Number(retryAfter)).toBeWithin(1, 61)
}
