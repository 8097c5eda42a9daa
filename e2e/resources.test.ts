import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'

import { openLedgerAudit } from './ledger-audit'
import { call } from './call'
import { databaseKinds, freshDatabase } from './databases'
import { until } from './ledger-view'
import { mountSmallDisk } from './soak/small-disk'
import { aProcessWorld, type ProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
const options = { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } }
const plainCall = ({ gateway, key }: ProcessWorld) => call(gateway, key, { model, messages })
const timeoutMs = 60_000

const disk = mountSmallDisk()
afterAll(() => disk?.remove())

describe.skipIf(!disk)('a full disk', () => {
  test.each(databaseKinds)(
    'a full disk acknowledges no charge that cannot be kept, and calls resume when there is room (%s)',
    async (kind) => {
      if (!disk) return
      await using database = await freshDatabase(kind)
      const dataDir = `${disk.folder}/${kind}`
      await using world = await aProcessWorld({ gateway: { dataDir, databaseUrl: database.url }, options })
      expect((await plainCall(world)).status).toBe(200)
      disk.fill()
      const whileFull = []
      for (let turn = 0; turn < 40; turn += 1) whileFull.push(await plainCall(world))
      expect(whileFull.at(-1)?.status).toBe(503)
      expect(whileFull.at(-1)?.text).toContain('ledger.unavailable')
      const requestsBefore = world.simulator.requests.length
      expect((await plainCall(world)).status).toBe(503)
      expect(world.simulator.requests).toHaveLength(requestsBefore)
      disk.empty()
      await servesAndStops(world)

      await using ledgerAudit = openLedgerAudit(dataDir, database.url)
      const charged = new Set((await ledgerAudit.charges()).map((charge) => charge.request_id))
      for (const { status, requestId } of whileFull) if (status === 200) expect(charged).toContain(requestId)
      const sums = await ledgerAudit.sums()
      expect([sums.leased, sums.free + sums.used]).toEqual([0, sums.credited])
    },
  )
})

describe.skipIf(!disk)('a disk that fills up', () => {
  test('a filling disk: all calls in flight get a response, and no refused one is charged', async () => {
    if (!disk) return
    const count = 60
    const dataDir = `${disk.folder}/in-flight`
    await using world = await aProcessWorld({ gateway: { dataDir }, options })
    world.simulator.when(() => true, { ttftMs: 1500 })
    const calls = Array.from({ length: count }, () => plainCall(world))
    await world.simulator.arrival(count)
    disk.fill()
    const responses = await Promise.all(calls)
    expect(responses.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    for (const { status, text } of responses) if (status !== 200) expect(text).toContain('ledger.unavailable')
    disk.empty()
    await servesAndStops(world)

    await using ledgerAudit = openLedgerAudit(dataDir, '')
    const charged = new Set((await ledgerAudit.charges()).map((charge) => charge.request_id))
    for (const { status, requestId } of responses)
      expect([status, charged.has(requestId)]).toEqual([status, status === 200])
    const sums = await ledgerAudit.sums()
    expect([sums.leased, sums.free + sums.used]).toEqual([0, sums.credited])
  })
})

describe('one gateway', () => {
  let world: ProcessWorld
  beforeAll(async () => {
    world = await aProcessWorld({ options })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.simulator.reset())

  test.skipIf(!Bun.which('prlimit'))('out of file descriptors goes on as soon as some are free', async () => {
    const [worker = 0] = world.gateway.workerIds()
    const highest = Math.max(...readdirSync(`/proc/${worker}/fd`).map(Number))
    limitFiles(worker, highest + 10)
    const sockets = Array.from({ length: 40 }, () => connect(world.gateway.port, '127.0.0.1').on('error', () => {}))
    const fresh = { timeoutMs: 1500, isFresh: true }
    const tryCall = () => call(world.gateway, world.key, { model, messages }, fresh).catch(() => null)
    expect(await until(tryCall, (reply) => reply === null)).toBeNull()
    for (const socket of sockets) socket.destroy()
    const after = await until(tryCall, (reply) => reply?.status === 200, timeoutMs)
    expect(after?.status).toBe(200)
    if (world.gateway.workerIds()[0] !== worker) throw new Error(`The worker ended:\n${world.gateway.output()}`)
    limitFiles(worker, 1024)
  })
})

const limitFiles = (processId: number, max: number) =>
  Bun.spawnSync(['prlimit', '-p', String(processId), `--nofile=${max}:`])

/** Waits until calls are served again, and stops the gateway. */
async function servesAndStops(world: ProcessWorld): Promise<void> {
  const after = await until(
    () => plainCall(world),
    ({ status }) => status === 200,
    timeoutMs,
  )
  expect(after.status).toBe(200)
  expect(await world.gateway.stop()).toBe(0)
}
