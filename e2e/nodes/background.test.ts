import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { SQL } from 'bun'

import { databaseKinds } from '../databases'
import { until } from '../ledger-view'
import { clientOf } from '../world'
import { aPair, type Pair } from './pair'

setDefaultTimeout(180_000)

describe.skipIf(databaseKinds.length < 2)('calls in the background of two gateways', () => {
  let pair: Pair
  let sql: SQL
  beforeAll(async () => {
    pair = await aPair()
    sql = new SQL(pair.database.url, { max: 1 })
  })
  afterAll(async () => {
    await sql.close()
    await pair[Symbol.asyncDispose]()
  })

  const clients = () => [pair.world.gateway, pair.second].map((gateway) => clientOf(gateway, pair.world.key))
  const begin = { model: 'gpt-4o', input: 'hello there', background: true } as const
  const requestCount = () => pair.world.simulator.requests.length
  const heldQuota = async () => {
    const rows: { id: string }[] = await sql`select id from holds`
    return rows.length
  }

  test('a call is run once, by the gateway that accepted it, and can be read from both', async () => {
    const before = requestCount()
    const created = await Promise.all(
      clients().flatMap((client) => Array.from({ length: 8 }, () => client.responses.create(begin))),
    )
    const ids = created.map(({ id }) => id)
    for (const client of clients())
      for (const id of ids) {
        const done = await until(
          () => client.responses.retrieve(id),
          ({ status }) => status === 'completed',
        )
        expect(done.output_text).not.toBe('')
      }
    expect(requestCount() - before).toBe(ids.length)
    const charges = (await pair.ledger.charges()).filter((charge) => ids.includes(charge.request_id))
    expect(charges.map((charge) => charge.request_id).toSorted()).toEqual(ids.toSorted())
    expect(await heldQuota()).toBe(0)
  })

  test('a call whose gateway was killed fails once its claim has expired, costs nothing and is not run again', async () => {
    const before = requestCount()
    pair.world.simulator.next({ fault: { kind: 'stall', when: 'before-headers' } })
    const [first, second] = clients()
    const { id } = (await first?.responses.create(begin)) ?? { id: '' }
    await until(
      async () => requestCount(),
      (count) => count > before,
    )
    await pair.world.gateway.kill()
    expect(await second?.responses.retrieve(id)).toMatchObject({ status: 'in_progress' })
    await sql`update tasks set poll_at = 1 where public_id = ${id}`
    const failed = await until(
      async () => second?.responses.retrieve(id),
      (response) => response?.status === 'failed',
    )
    expect(failed).toMatchObject({ id, output: [] })
    expect(requestCount()).toBe(before + 1)
    expect((await pair.ledger.charges()).filter((charge) => charge.request_id === id)).toEqual([])
    expect(await heldQuota()).toBe(0)
  })
})
