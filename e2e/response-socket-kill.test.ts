import { expect, setDefaultTimeout, test } from 'bun:test'

import { connectRealtime } from '../gateway/test/realtime-client'
import { openLedgerAudit } from './ledger-audit'
import { databaseKinds, freshDatabase } from './databases'
import { startGateway } from './gateway'
import { until } from './ledger-view'
import { clientOf, aProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const sockets = 6
const enough = 60

test('kill -9 in mid-turn of a socket loses no turn that a client saw completed, doubles none, and returns what was held', async () => {
  await using database = await freshDatabase(databaseKinds.at(-1) ?? 'sqlite')
  await using world = await aProcessWorld({
    gateway: { databaseUrl: database.url, workers: 2 },
    simulator: { defaults: { tokens: 20, gapMs: 1 } },
    options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 2 } },
  })
  const { gateway, key, simulator } = world

  const connect = () => connectRealtime(gateway.url, { key, path: '/v1/responses', query: '' })
  const isKilled = Promise.withResolvers<void>()
  simulator.next({ text: 'one two three', gate: (frame) => (frame > 5 ? isKilled.promise : undefined) })
  using midway = await connect()
  midway.send({ type: 'response.create', model, input: 'hello' })
  await midway.next('response.output_text.delta')

  let done = 0
  const stored: string[] = []
  const strike = Promise.withResolvers<void>()
  const converse = async (store: boolean) => {
    using client = await connect()
    let previous: string | undefined
    for (;;) {
      client.send({ type: 'response.create', model, input: 'hello', store, previous_response_id: previous })
      const completed = await client.next('response.completed')
      previous = (completed['response'] as { id: string }).id
      if (store) stored.push(previous)
      done += 1
      if (done >= enough) strike.resolve()
    }
  }
  const conversations = Array.from({ length: sockets }, (_, index) =>
    converse(index % 2 === 0).catch((error: unknown) => error),
  )
  await strike.promise
  await gateway.kill()
  isKilled.resolve()
  await Promise.all(conversations)

  await using again = await startGateway({ dataDir: gateway.dataDir, port: gateway.port, databaseUrl: database.url })
  await using ledgerAudit = openLedgerAudit(gateway.dataDir, database.url)
  await until(
    async () => (await ledgerAudit.sums()).leased,
    (leased) => leased === 0,
  )
  const { responses } = clientOf(again, key)
  // Turns are written after their charge, within milliseconds.
  for (const id of stored.slice(0, sockets)) expect((await responses.retrieve(id)).id).toBe(id)
  expect(await again.stop()).toBe(0)
  const rows = await ledgerAudit.logs()
  expect(rows.length).toBeWithin(done, simulator.requests.length)
  expect(new Set(rows.map((row) => row.request_id)).size).toBe(rows.length)
  const { free, leased, used, credited, charged } = await ledgerAudit.sums()
  const quota = rows.reduce((sum, row) => sum + row.quota, 0)
  expect([leased, used, charged]).toEqual([0, quota, quota])
  expect(rows.every((row) => row.quota > 0)).toBe(true)
  expect(free + used).toBe(credited)
})
