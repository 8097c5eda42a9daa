import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { walletRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { statementOf } from './statement'
import { walletHandlers } from './wallet'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const secondsOf = (time: string) => Date.parse(time) / 1000

describe.each(kinds)('a statement (%s)', (kind) => {
  let world: World
  let site: TestConsole
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock(Date.parse('2026-02-10T12:00:00Z'))
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, walletHandlers)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const charge = (userId: number, hour: string, quota: number) =>
    world.ctx.database.query
      .insertInto('rollups')
      .values({
        hour: secondsOf(hour),
        user_id: userId,
        token_name: 'main',
        model_name: 'gpt-4o',
        channel_id: 1,
        group: 'default',
        count: 2,
        errors: 0,
        quota,
        prompt_tokens: 1,
        completion_tokens: 1,
        use_time: 1,
      })
      .execute()
  const credit = (userId: number, id: string, time: string, amount: number) =>
    world.ctx.database.query
      .insertInto('credits')
      .values({ id, user_id: userId, kind: 'redemption', amount, created_at: secondsOf(time), detail: '' })
      .execute()

  async function anOwner() {
    const { id } = await anAccount(world.ctx)
    const as = await site.signIn(id)
    const client = site.client(as)
    await credit(id, 'january', '2026-01-20T00:00:00Z', 1000)
    await charge(id, '2026-01-31T20:00:00Z', 100)
    await charge(id, '2026-02-01T03:00:00Z', 10)
    await charge(id, '2026-02-01T15:00:00Z', 20)
    await charge(id, '2026-02-02T15:00:00Z', 30)
    await credit(id, 'february', '2026-02-02T16:00:00Z', 500)
    const other = await anAccount(world.ctx)
    await charge(other.id, '2026-02-02T15:00:00Z', 9999)
    return { as, of: (month?: string) => client.call(walletRoutes.statement, { query: { month } }) }
  }

  test('a statement adds up from the opening to the closing balance, charges by the day', async () => {
    const { of } = await anOwner()
    expect(await of()).toEqual({
      seller: { name: 'Tollgate', address: '', tax_id: '' },
      customer: { name: expect.stringMatching(/^account-/), address: '', tax_id: '' },
      month: '2026-02',
      first_month: '2026-02',
      time_zone: 'UTC',
      is_over: false,
      opening: 900,
      credited: 500,
      charged: 60,
      closing: 1340,
      movements: [
        {
          day: '2026-02-02',
          at: secondsOf('2026-02-02T16:00:00Z'),
          kind: 'redemption',
          amount: 500,
          calls: 0,
          trade_no: '',
          plan: '',
        },
        {
          day: '2026-02-02',
          at: secondsOf('2026-02-02T15:00:00Z'),
          kind: 'charges',
          amount: -30,
          calls: 2,
          trade_no: '',
          plan: '',
        },
        {
          day: '2026-02-01',
          at: secondsOf('2026-02-01T03:00:00Z'),
          kind: 'charges',
          amount: -30,
          calls: 4,
          trade_no: '',
          plan: '',
        },
      ],
    })
    expect((await of('2026-01')).closing).toBe(900)
    expect(await of('2026-03')).toMatchObject({ opening: 1340, closing: 1340, movements: [] })
  })

  test('a month is over an hour after its end, when late charges have arrived', async () => {
    const { id } = await anAccount(world.ctx)
    const isOver = async () => (await statementOf(world.ctx, id, '2026-02')).is_over
    clock.jump(1000 * (secondsOf('2026-03-01T00:59:59Z') - secondsOf('2026-02-10T12:00:00Z')))
    expect(await isOver()).toBe(false)
    clock.jump(1000)
    expect(await isOver()).toBe(true)
  })

  test('a statement counts days and months in the site’s time zone', async () => {
    await setOptionsIn(world.ctx, { SiteTimeZone: 'Asia/Shanghai' })
    const { of } = await anOwner()
    const { opening, movements } = await of('2026-02')
    expect(opening).toBe(1000)
    expect(movements.map(({ day, amount }) => [day, amount])).toEqual([
      ['2026-02-03', 500],
      ['2026-02-02', -30],
      ['2026-02-01', -130],
    ])
  })

  test('a statement is exported as a file with its amounts in dollars and in quota', async () => {
    const { as } = await anOwner()
    const response = await site.send('GET', '/api/user/statement/export?month=2026-02', {
      as,
      headers: { 'Accept-Language': 'en' },
    })
    const lines = (await response.text()).trim().split('\r\n')
    expect(lines.slice(1)).toEqual([
      '2026-02-02,Redemption code,0.001,500,0,,',
      '2026-02-02,API usage,-0.00006,-30,2,,',
      '2026-02-01,API usage,-0.00006,-30,4,,',
    ])
  })

  test.each(['2026-13', '2026-1', 'x', '0545-12', '1969-12', '9999-12'])(
    'a statement of %p is refused',
    async (month) => {
      const { as } = await anOwner()
      expect((await site.send('GET', `/api/user/statement?month=${month}`, { as })).status).toBe(400)
    },
  )
})
