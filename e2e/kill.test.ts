import { expect, test, setDefaultTimeout } from 'bun:test'

import { startEpay } from '@tollgate/simulator'

import { openLedgerAudit, type LedgerAudit } from './ledger-audit'
import { call, eventsIn } from './call'
import { databaseKinds, freshDatabase } from './databases'
import { startGateway, type GatewayProcess } from './gateway'
import { until } from './ledger-view'
import { epayOptions, PaidOrders } from './paid-orders'
import { reconcile, type Held } from './reconcile'
import { aProcessWorld, type ProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const rounds = 2
const callers = 12
const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]

for (const kind of databaseKinds) {
  const workers = kind === 'sqlite' ? 1 : 2
  test(`kill -9 under load loses and doubles nothing: ${kind}, ${workers} workers`, () => survives(kind, workers))
}

async function survives(kind: 'sqlite' | 'postgres', workers: number): Promise<void> {
  await using database = await freshDatabase(kind)
  const service = startEpay()
  await using services = new AsyncDisposableStack()
  services.defer(() => service.stop())
  await using world = await aProcessWorld({
    gateway: { workers, databaseUrl: database.url },
    simulator: { defaults: { tokens: 20, gapMs: 1 } },
    options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 2 }, ...epayOptions(service) },
  })
  const { dataDir, port } = world.gateway
  // No gateway may stay behind, whatever fails.
  await using running = new AsyncDisposableStack()
  const held: Held[] = []
  const orders = new PaidOrders(service, world.console, world.gateway.url)
  let { gateway }: { gateway: GatewayProcess } = world
  for (let round = 0; round < rounds; round += 1) {
    await orders.pay()
    held.push(...(await killUnderLoad(world, gateway, round, orders)))
    gateway = running.use(await startGateway({ dataDir, port, workers, databaseUrl: database.url }))
    await using ledgerAudit = openLedgerAudit(dataDir, database.url)
    await allLeasesReturn(ledgerAudit)
  }
  if (workers > 1) {
    await using ledgerAudit = openLedgerAudit(dataDir, database.url)
    const before = await until(
      () => ledgerAudit.workers(),
      (ids) => ids.length === workers,
      60_000,
    )
    held.push(...(await loadUntil(world, gateway, () => killOneWorker(gateway), 60)))
    await replacementIsAtWork(ledgerAudit, before)
    await allLeasesReturn(ledgerAudit)
  }
  held.push(...(await loadUntil(world, gateway, async () => {}, 20)))
  await orders.reportRest()
  expect(await gateway.stop()).toBe(0)
  await orders.expectCredited(dataDir, database.url)
  await using ledgerAudit = openLedgerAudit(dataDir, database.url)
  await reconcile(ledgerAudit, world.simulator, held)
}

/**
 * Twelve clients call continuously; once enough responses are in, payments are reported and all processes are killed at the same instant.
 */
async function killUnderLoad(
  world: ProcessWorld,
  gateway: GatewayProcess,
  round: number,
  orders: PaidOrders,
): Promise<Held[]> {
  // An odd number of responses per round, so that the kill hits different phases of the calls.
  const enough = 40 + round * 17
  return loadUntil(world, gateway, () => orders.strikeWhileReporting(round, () => gateway.kill()), enough)
}

/** Kills only one of the workers; its supervisor settles what it left and starts another. */
async function killOneWorker(gateway: GatewayProcess): Promise<void> {
  const [worker] = gateway.workerIds()
  if (worker === undefined) throw new Error('There is no worker')
  process.kill(worker, 'SIGKILL')
}

async function loadUntil(
  world: ProcessWorld,
  gateway: GatewayProcess,
  end: () => Promise<void>,
  enough: number,
): Promise<Held[]> {
  const held: Held[] = []
  let isOver = false
  const caller = async (index: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const response = await callOnce(world, gateway, (index + turn) % 2 === 0).catch(() => null)
      if (response) held.push(response)
      if (held.length >= enough && !isOver) {
        isOver = true
        await end()
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
  return held
}

async function callOnce(world: ProcessWorld, gateway: GatewayProcess, stream: boolean): Promise<Held | null> {
  const reply = await call(gateway, world.key, { model, messages, stream })
  if (reply.status !== 200 || reply.isBroken) return null
  if (stream && !reply.text.includes('[DONE]')) return null
  const response = stream ? eventsIn(reply.text)[0] : (JSON.parse(reply.text) as Record<string, unknown>)
  return { requestId: reply.requestId, responseId: String(response?.['id']) }
}

async function replacementIsAtWork(ledgerAudit: LedgerAudit, before: readonly string[]): Promise<void> {
  const isNew = (id: string) => !before.includes(id)
  expect(
    (
      await until(
        () => ledgerAudit.workers(),
        (ids) => ids.some(isNew),
        60_000,
      )
    ).some(isNew),
  ).toBe(true)
}

async function allLeasesReturn(ledgerAudit: LedgerAudit): Promise<void> {
  const sums = await until(
    () => ledgerAudit.sums(),
    ({ leased }) => leased === 0,
    60_000,
  )
  expect(sums.leased).toBe(0)
}
