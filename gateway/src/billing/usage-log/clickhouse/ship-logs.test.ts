import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { daySeconds, logType, pageOf } from '@tollgate/contract'
import * as fc from 'fast-check'
import { sql, type KyselyPlugin } from 'kysely'

import { differencesIn } from '../../../app/commands/differences'
import { jobsOf } from '../../../app/jobs/job-table'
import { freshClickHouse, onClickHouse, type TestClickHouse } from '../../../../test/clickhouse'
import { FakeTime } from '../../../../test/fake-time'
import { kinds, onceOf } from '../../../../test/kinds'
import { aUser } from '../../../../test/ledger'
import { aLogRow } from '../../../../test/rows'
import { spend } from '../../../../test/spend'
import { createWorld, type World } from '../../../../test/world'
import { removeShipped } from '../../../operations/retention/remove-shipped'
import { systemClock } from '../../../platform/time/clock'
import { nextTurn } from '../../../platform/time/timers'
import { openClickHouse } from '../../../platform/store/clickhouse/clickhouse'
import { createLogTable } from './log-table'
import { LogShipping } from './ship-logs'
import { readShipments } from './shipments'

setDefaultTimeout(120_000)

const { signal } = new AbortController()

/** `lost`: the server did what it was asked, and its response did not arrive. */
type State = 'up' | 'down' | 'lost'

/** A server between the gateway and ClickHouse. */
function aProxy(target: string) {
  const proxy = {
    state: 'up' as State,
    inserts: 0,
    server: Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const url = new URL(request.url)
        const isInsert = url.searchParams.get('query')?.startsWith('INSERT') ?? false
        proxy.inserts += Number(isInsert)
        if (proxy.state === 'down') return new Response('', { status: 503 })
        const response = await fetch(new URL(url.pathname + url.search, target), {
          method: request.method,
          headers: request.headers,
          body: await request.bytes(),
        })
        const body = await response.bytes()
        // Only what inserts lose is in doubt.
        if (proxy.state === 'lost' && isInsert) return new Response('', { status: 503 })
        return new Response(body, { status: response.status, headers: response.headers })
      },
    }),
  }
  return proxy
}

/** Adds the number of rows that each deletion removed. */
function countRemoved(counts: number[]): KyselyPlugin {
  const deletions = new WeakSet<object>()
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === 'DeleteQueryNode') deletions.add(queryId)
      return node
    },
    async transformResult({ queryId, result }) {
      if (deletions.has(queryId)) counts.push(Number(result.numAffectedRows))
      return result
    },
  }
}

onClickHouse('shipping the log to ClickHouse', () => {
  describe.each(kinds)('from %s', (kind) => {
    const once = onceOf(kind)
    const time = new FakeTime()
    let stored: TestClickHouse
    let proxy: ReturnType<typeof aProxy>
    let world: World
    beforeEach(async () => {
      stored = freshClickHouse()
      proxy = aProxy(new URL(stored.url).origin)
      const url = new URL(new URL(stored.url).pathname, proxy.server.url).href
      world = await createWorld({ kind, clock: time, environment: { CLICKHOUSE_URL: url } })
    })
    afterEach(async () => {
      await world[Symbol.asyncDispose]()
      await stored[Symbol.asyncDispose]()
      await proxy.server.stop(true)
    })

    const query = () => world.ctx.database.query
    const shipping = () => new LogShipping({ ...world.ctx, clickHouse: stored.clickHouse })
    const insert = (rows: readonly string[]) =>
      query()
        .insertInto('logs')
        .values(rows.map((name) => aLogRow({ request_id: name, content: name })))
        .execute()
    const contents = async () => {
      const all: string[] = []
      for await (const rows of world.ctx.logs.each({})) all.push(...rows.map(({ content }) => content))
      return all.toSorted()
    }
    const countIn = async (table: 'stored' | 'waiting') => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from logs`.execute(
        table === 'stored' ? stored.clickHouse.query : query(),
      )
      return rows[0]?.count
    }

    test('calls are charged through outages, and afterwards no row is missing or doubled', async () => {
      const job = jobsOf(world.ctx).find(({ name }) => name === 'ship-logs')
      const userId = await aUser(world.ctx.database, 1_000_000)
      const payer = { userId, tokenId: 0, isTokenLimited: false }
      let calls = 0
      const aStep = fc.record({
        state: fc.constantFrom<State>('up', 'down', 'lost'),
        calls: fc.integer({ min: 0, max: 3 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { maxLength: 6 }), async (steps) => {
          for (const step of [...steps, { state: 'up', calls: 1 } as const]) {
            proxy.state = step.state
            for (let call = 0; call < step.calls; call += 1) await spend(world.ctx, payer, 1 + (calls % 7))
            calls += step.calls
            time.advance(1000)
            await job?.run(signal).catch(() => {})
          }
          expect(await countIn('waiting')).toBe(0)
          expect((await world.ctx.logs.list({}, pageOf({}))).total).toBe(calls)
          expect(await differencesIn(query(), time.seconds(), world.ctx.logs)).toEqual([])
        }),
        { numRuns: kind === 'sqlite' ? 4 : 2, endOnFailure: true },
      )
      expect(await countIn('stored')).toBe(calls)
      time.advance(2 * daySeconds * 1000)
      await job?.run(signal)
      expect((await readShipments(query()))?.open).toEqual([])
    })

    once('a missing row and a doubled one are found', async () => {
      const userId = await aUser(world.ctx.database, 1_000_000)
      for (const cost of [3, 4]) await spend(world.ctx, { userId, tokenId: 0, isTokenLimited: false }, cost)
      await shipping().run(signal, 0)
      await stored.clickHouse.command('delete from logs where quota = 3')
      const checks = async () =>
        (await differencesIn(query(), time.seconds(), world.ctx.logs)).map(
          ({ check, found, expected }) => `${check} ${found} ${expected}`,
        )
      expect(await checks()).toEqual(['hour-log-rows 1 2', 'hour-log-quota 4 7'])
      await stored.clickHouse.command('insert into logs select * from logs')
      expect(await checks()).toEqual(['hour-log-quota 8 7'])
    })

    test('two workers that both think they lead ship each row once', async () => {
      await insert(Array.from({ length: 40 }, (_, index) => `row-${index}`))
      const expected = await contents()
      for (let round = 0; round < 5; round += 1)
        await Promise.allSettled([shipping().run(signal, 0, 9), shipping().run(signal, 0, 7)])
      await shipping().run(signal, 0)
      expect(await countIn('waiting')).toBe(0)
      expect(await contents()).toEqual(expected)
    })

    onceOf(kind)('rows are removed beside the calls, at most five hundred at a time', async () => {
      await insert(Array.from({ length: 1100 }, (_, index) => `row-${index}`))
      const removed = { byCalls: [] as number[], beside: [] as number[] }
      const database = {
        ...world.ctx.database,
        query: query().withPlugin(countRemoved(removed.byCalls)),
        removal: query().withPlugin(countRemoved(removed.beside)),
      }
      await new LogShipping({ ...world.ctx, database, clickHouse: stored.clickHouse }).run(signal, 0)
      expect(removed).toEqual({ byCalls: [], beside: [500, 500, 100] })
    })

    test('lists agree while rows are being shipped', async () => {
      await insert(Array.from({ length: 60 }, (_, index) => `row-${index}`))
      const progress = { isOver: false }
      const shipped = shipping()
        .run(signal, 0, 5)
        .finally(() => (progress.isOver = true))
      const totals = new Set<number>()
      while (!progress.isOver) {
        totals.add((await world.ctx.logs.list({}, pageOf({}))).total)
        await nextTurn()
      }
      await shipped
      expect([...totals]).toEqual([60])
    })

    once(
      'after a backup of the database was restored, rows that it still has are shipped again, and once',
      async () => {
        await insert(['a', 'b'])
        await shipping().run(signal, 0)
        const rows = await world.ctx.logs.list({}, pageOf({}))
        const note = await query().selectFrom('site_notes').selectAll().where('name', '=', 'log-shipments').execute()
        await insert(['lost with the restored database'])
        await shipping().run(signal, 0)
        const [restored] = note
        await query()
          .updateTable('site_notes')
          .set({ value: JSON.stringify({ ...JSON.parse(restored?.value ?? ''), last: 0, ended: 0 }) })
          .where('name', '=', 'log-shipments')
          .execute()
        await query().insertInto('logs').values(rows.items).execute()
        expect(await contents()).toEqual(['a', 'b'])
        await shipping().run(signal, 0)
        expect(await contents()).toEqual(['a', 'b'])
        expect(await countIn('stored')).toBe(2)
      },
    )

    once('the table of another site is refused, and its rows stay', async () => {
      await insert(['a'])
      await using other = await createWorld({ kind, clock: time, environment: { CLICKHOUSE_URL: stored.url } })
      await new LogShipping({ ...other.ctx, clickHouse: stored.clickHouse }).run(signal, 0)
      expect(shipping().run(signal, 0)).rejects.toThrow('belongs to another site')
      expect(await contents()).toEqual(['a'])
    })

    once('rows of calls are removed by age and on demand, others stay', async () => {
      const now = systemClock.seconds()
      const row = (content: string, days: number, type: number = logType.consumption) =>
        aLogRow({ content, type, created_at: now - days * daySeconds })
      await query()
        .insertInto('logs')
        .values([row('new', 1), row('older', 20), row('old', 40), row('top-up', 40, logType.topUp)])
        .execute()
      const keeping = shipping()
      await keeping.run(signal, 30)
      await stored.clickHouse.command('optimize table logs final')
      expect(await contents()).toEqual(['new', 'older', 'top-up'])
      await keeping.run(signal, 0)
      await stored.clickHouse.command('optimize table logs final')
      expect(await removeShipped(world.ctx, now - 10 * daySeconds)).toBe(1)
      expect(await contents()).toEqual(['new', 'top-up'])
    })
  })
})

test('a server that is too old is refused before anything is created there', async () => {
  const statements: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      statements.push(await request.text())
      return new Response('{"version":"18.16.1"}\n')
    },
  })
  const clickHouse = openClickHouse(server.url.origin)
  const refusal = await createLogTable(clickHouse, 'site').catch(String)
  expect(refusal).toContain('is release 18.16.1, and the log needs 24.8 or later')
  expect(statements).toHaveLength(1)
  await clickHouse.close()
  await server.stop(true)
})
