import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import {
  ApiError,
  optionRoutes,
  role,
  redemptionRoutes,
  tokenRoutes,
  userRoutes,
  type Client,
} from '@tollgate/contract'

import { handlers } from '../../test/all-handlers'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../test/console-client'
import { kinds, onceOf } from '../../test/kinds'
import { createWorld, type World } from '../../test/world'
import { pruneKeyedActs } from '../app/jobs/prune'
import type { Context } from '../context'
import { handler } from './handler'

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('calls that name a key (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let as: SignedIn
  let root: Client
  let annId: number

  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, handlers)
    as = await site.signIn((await anAccount(world.ctx, { role: role.root })).id)
    root = site.client(as)
    annId = (await anAccount(world.ctx, {})).id
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const grant = (idempotencyKey: string | undefined, value = 100, client = root) =>
    client.call(userRoutes.manageUser, { body: { id: annId, action: 'add_quota', value }, idempotencyKey })
  const balance = async () => (await world.ctx.ledger.balanceOf([annId])).get(annId) ?? 0
  const rows = () => world.ctx.database.query.selectFrom('keyed_acts').selectAll().execute()

  once('a balance is raised once for each key, and each time without one', async () => {
    const before = await balance()
    expect([await grant('first-act'), await grant('first-act')]).toMatchObject([{ status: 1 }, { status: 1 }])
    expect((await balance()) - before).toBe(100)
    await grant('second-act')
    await grant(undefined)
    await grant(undefined)
    expect((await balance()) - before).toBe(400)
  })

  once('the response says that it is the first one’s, and the audit log which call acted', async () => {
    const send = () =>
      site.send('POST', '/api/user/manage', {
        as,
        body: { id: annId, action: 'add_quota', value: 1 },
        headers: { 'Idempotency-Key': 'told-by-a-header' },
      })
    const [first, second] = [await send(), await send()]
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    const acted = first.headers.get('x-request-id') ?? 'none'
    const audited = await world.ctx.database.query.selectFrom('audit_log').select(['request_id', 'after']).execute()
    expect(audited.filter(({ after }) => after.includes(acted)).length).toBe(1)
  })

  once('codes and keys are made once, and both calls get them; what is kept of them is sealed', async () => {
    const codes = () =>
      root.call(redemptionRoutes.createRedemptions, {
        body: { name: 'gift', count: 3, quota: 10 },
        idempotencyKey: 'three-codes',
      })
    const createdCodes = await codes()
    expect(await codes()).toEqual(createdCodes)
    const key = () => root.call(tokenRoutes.createToken, { body: { name: 'app' }, idempotencyKey: 'an-api-key' })
    const created = await key()
    expect(await key()).toEqual(created)
    const stored = JSON.stringify(await rows())
    expect([...createdCodes, created.key].filter((text) => stored.includes(text))).toEqual([])
  })

  test('calls at the same time act once', async () => {
    const before = await balance()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(grant('at-the-same-time'))))
    expect(outcomes.every((outcome) => outcome === 'ok' || outcome === 'act.under_way')).toBe(true)
    expect((await balance()) - before).toBe(100)
  })

  once('a refused call leaves its key free, and other contents are refused', async () => {
    const before = await balance()
    expect(await outcomeOf(grant('refused-first', 2 ** 53 - 1))).toBe('user.quota')
    expect(await outcomeOf(grant('refused-first', 5))).toBe('ok')
    expect(await outcomeOf(grant('refused-first', 6))).toBe('act.other')
    expect((await balance()) - before).toBe(5)
  })

  once('a key is its user’s, and must be one', async () => {
    const other = site.client(await site.signIn((await anAccount(world.ctx, { role: role.root })).id))
    const before = await balance()
    await grant('of-two-users', 1)
    await grant('of-two-users', 1, other)
    expect((await balance()) - before).toBe(2)
    for (const bad of ['short', 'with a blank', 'x'.repeat(256)])
      expect(await outcomeOf(grant(bad, 1))).toBe('input.invalid')
  })

  const age = () =>
    world.ctx.database.query
      .updateTable('keyed_acts')
      .set({ created_at: world.ctx.clock.seconds() - 600 })
      .execute()
  const diesIn = (ledger: Partial<Context['ledger']>) =>
    createTestConsole({ ...world.ctx, ledger: { ...world.ctx.ledger, ...ledger } }, handlers).client(as)
  const die = () => Promise.reject(new Error('died'))

  once('an act that failed before it changed anything is made by the next call', async () => {
    const before = await balance()
    expect(await outcomeOf(grant('failed-before', 7, diesIn({ credit: die })))).toBe('server.error')
    expect(await outcomeOf(grant('failed-before', 7))).toBe('ok')
    expect((await balance()) - before).toBe(7)
  })

  test('an act whose worker died after it is not repeated: its caller learns that it was carried out', async () => {
    await grant(undefined, 50)
    const before = await balance()
    const take = (client = root) =>
      outcomeOf(
        client.call(userRoutes.manageUser, {
          body: { id: annId, action: 'add_quota', mode: 'subtract', value: 7 },
          idempotencyKey: 'died-after',
        }),
      )
    expect(await take(diesIn({ whenRecalled: die }))).toBe('server.error')
    expect(await take()).toBe('act.under_way')
    await age()
    expect(await take()).toBe('act.done')
    expect(before - (await balance())).toBe(7)
  })

  once(
    'an act whose worker died before it is carried out by a later call, and one of an earlier release is uncertain',
    async () => {
      const before = await balance()
      for (const [progress, outcome] of [
        ['open', 'ok'],
        ['', 'act.uncertain'],
      ] as const) {
        await grant(`of-a-dead-worker${progress}`, 3)
        await world.ctx.database.query.updateTable('keyed_acts').set({ progress, answer_sealed: '' }).execute()
        expect(await outcomeOf(grant(`of-a-dead-worker${progress}`, 3))).toBe('act.under_way')
        await age()
        expect(await outcomeOf(grant(`of-a-dead-worker${progress}`, 3))).toBe(outcome)
      }
      expect((await balance()) - before).toBe(9)
    },
  )

  describe('the route of an act', () => {
    const note = (name: string, { database, clock }: Pick<Context, 'database' | 'clock'>) =>
      database.query.insertInto('site_notes').values({ name, value: '1', updated_at: clock.now() }).execute()
    const notes = async (name: string) => {
      const query = world.ctx.database.query.selectFrom('site_notes').where('name', '=', name)
      return (await query.selectAll().execute()).length
    }

    test('an act without data whose response was lost is answered as done', async () => {
      const failing = handler(tokenRoutes.deleteToken, async (_input, { ctx }) => {
        await note('no-data', ctx)
        throw new Error('died')
      })
      const client = createTestConsole(world.ctx, [failing]).client(as)
      const act = () =>
        outcomeOf(client.call(tokenRoutes.deleteToken, { params: { id: 1 }, idempotencyKey: 'without-data' }))
      expect(await act()).toBe('server.error')
      await age()
      expect(await act()).toBe('ok')
      expect(await notes('no-data')).toBe(1)
    })

    once('an act that reaches another system, and whose worker died, is uncertain', async () => {
      const failing = handler(optionRoutes.testMail, () => Promise.reject(new Error('died')))
      const client = createTestConsole(world.ctx, [failing]).client(as)
      const act = () =>
        outcomeOf(
          client.call(optionRoutes.testMail, { body: { recipient: 'a@example.com' }, idempotencyKey: 'to-elsewhere' }),
        )
      expect(await act()).toBe('server.error')
      await age()
      expect(await act()).toBe('act.uncertain')
    })

    once('an act that hung, and whose place was taken, changes nothing any more', async () => {
      const gate = Promise.withResolvers<void>()
      const arrived = Promise.withResolvers<void>()
      let calls = 0
      const hanging = handler(tokenRoutes.deleteToken, async (_input, { ctx }) => {
        calls += 1
        const name = `call-${calls}`
        if (calls === 1) {
          arrived.resolve()
          await gate.promise
        }
        await note(name, ctx)
        return undefined
      })
      const client = createTestConsole(world.ctx, [hanging]).client(as)
      const act = () =>
        outcomeOf(client.call(tokenRoutes.deleteToken, { params: { id: 1 }, idempotencyKey: 'hung-and-taken' }))
      const hung = act()
      await arrived.promise
      await age()
      expect(await act()).toBe('ok')
      gate.resolve()
      expect(await hung).toBe('act.under_way')
      expect([await notes('call-1'), await notes('call-2')]).toEqual([0, 1])
    })

    once('changes in several transactions are refused in tests, unless the route is compound', async () => {
      const twice = handler(tokenRoutes.deleteToken, async (_input, { ctx }) => {
        await note('once', ctx)
        await note('twice', ctx)
        return undefined
      })
      const client = createTestConsole(world.ctx, [twice]).client(as)
      expect(await outcomeOf(client.call(tokenRoutes.deleteToken, { params: { id: 1 } }))).toBe('server.error')
      expect(await notes('twice')).toBe(0)
    })
  })

  once('keys are forgotten after a day', async () => {
    await grant('of-yesterday', 1)
    await world.ctx.database.query.updateTable('keyed_acts').set({ created_at: 1 }).execute()
    const before = await balance()
    await grant('of-yesterday', 1)
    expect((await balance()) - before).toBe(1)
    await pruneKeyedActs(world.ctx).run(new AbortController().signal)
    expect((await rows()).length).toBe(1)
  })
})
