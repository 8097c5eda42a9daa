import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'

import { accountRoutes } from '@tollgate/contract'

import { openJournal, type Journal } from '../gateway/src/billing/ledger/journal/journal'
import { journalPath } from '../gateway/src/billing/ledger/journal/journal-files'
import { openLedgerAudit } from './ledger-audit'
import { call } from './call'
import { databaseKinds, freshDatabase } from './databases'
import { startGateway } from './gateway'
import { until } from './ledger-view'
import { aPayer } from './payer'
import { aProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const timeoutMs = 60_000
const model = 'gpt-4o'
const body = { model, max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] }
const funds = 1000
const requestId = 'left-behind'

/** Returns a killed gateway, a user who owned `funds`, and their key. */
async function aKilledGateway(databaseUrl: string) {
  const world = await aProcessWorld({ gateway: { databaseUrl }, options: { ModelRatio: { [model]: 1 } } })
  const payer = await aPayer(world.gateway.url, world.console, 'payer', funds)
  const key = await payer.addToken({ name: 'key' })
  const { id } = await payer.call(accountRoutes.getSelf)
  expect((await call(world.gateway, key, body)).status).toBe(200)
  await world.gateway.kill()
  const { dataDir, port } = world.gateway
  return { world, key, userId: id, settings: { dataDir, port, databaseUrl } }
}

/** Creates the journal of a dead worker with a charge of all that a user owned. */
function leftBehind(dataDir: string, userId: number): Journal {
  const journal = openJournal(journalPath(join(dataDir, 'journal'), 'gone'), 'process')
  const entry = {
    createdAt: Math.floor(Date.now() / 1000),
    type: 2,
    userId,
    username: 'payer',
    tokenId: 0,
    tokenName: '',
    modelName: model,
    group: 'default',
    channelId: 1,
    channelName: '',
    isStream: false,
    useTimeSeconds: 1,
    promptTokens: 1,
    completionTokens: funds - 1,
    content: '',
    clientIp: '',
    other: '{}',
  }
  journal.append([{ requestId, cost: funds, isLogged: true, userLease: '', tokenLease: '', entry }], Date.now())
  return journal
}

/** Resolves with the first response of a gateway that is still starting. */
const firstResponse = (gateway: { url: string }, key: string) =>
  until(
    () => call(gateway, key, body).catch(() => null),
    (response) => response !== null,
    timeoutMs,
  )

for (const kind of databaseKinds) {
  test(`the first call after a crash finds the charges that the crash left: ${kind}`, async () => {
    await using database = await freshDatabase(kind)
    const { world, key, userId, settings } = await aKilledGateway(database.url)
    await using _world = world
    leftBehind(settings.dataDir, userId).close()
    const starting = startGateway(settings)
    const first = await firstResponse(world.gateway, key)
    await using _gateway = await starting
    expect([first?.status, first?.text]).toEqual([403, expect.stringContaining('insufficient_quota')])
    expect(world.simulator.served.total.requests).toBe(1)
  })
}

test('a journal locked while the gateway starts is charged once it is released', async () => {
  const { world, userId, settings } = await aKilledGateway('')
  await using _world = world
  const journal = leftBehind(settings.dataDir, userId)
  await using _gateway = await startGateway(settings)
  await using ledgerAudit = openLedgerAudit(settings.dataDir)
  const isCharged = async () => (await ledgerAudit.charges()).filter((row) => row.request_id === requestId).length
  expect(await isCharged()).toBe(0)
  journal.close()
  expect(await until(isCharged, (count) => count > 0, timeoutMs)).toBe(1)
})
