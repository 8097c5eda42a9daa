import { expect, setDefaultTimeout, test, describe, beforeAll, afterAll } from 'bun:test'

import { anAccount } from '../../../test/console-client'
import { FakeTime } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { noRests } from '../../../test/pace'
import { aPeriod, aWindow } from '../../../test/windows'
import { createWorld, type World } from '../../../test/world'
import { notifyNearLimits } from './watch-limits'

setDefaultTimeout(60_000)

describe.each(kinds)('alerts of limits (%s)', (kind) => {
  const once = onceOf(kind)

  const clock = new FakeTime()
  let world: World
  beforeAll(async () => {
    world = await createWorld({ kind, clock })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  const query = () => world.ctx.database.query
  const { signal } = new AbortController()
  const watch = () => notifyNearLimits(world.ctx, noRests(1), signal)
  const messagesOf = async (userId: number) => {
    const rows = await query()
      .selectFrom('messages')
      .innerJoin('message_receipts', 'message_id', 'messages.id')
      .select('params')
      .where('user_id', '=', userId)
      .where('kind', '=', 'limit-near')
      .orderBy('messages.id')
      .execute()
    return rows.map(({ params }): unknown => JSON.parse(params))
  }
  const use = (windowId: number, amount: number) =>
    query()
      .updateTable('window_periods')
      .set((eb) => ({ free: eb('free', '-', amount) }))
      .where('window_id', '=', windowId)
      .execute()

  test('the owner is told of each threshold once a period, by several workers too, and of what is used without what is leased', async () => {
    const { id, username } = await anAccount(world.ctx)
    await query()
      .updateTable('users')
      .set({ email: `${username}@example.com` })
      .where('id', '=', id)
      .execute()
    const columns = { name: 'Daily', limit_amount: 100, alert_percents: '50,80', span: 'day' } as const
    const window = await aWindow(world.ctx.database, id, columns)
    await aPeriod(world.ctx.database, window.id, { subject_id: id, now: clock.seconds(), used: 49, leased: 40 })
    await watch()
    expect(await messagesOf(id)).toEqual([])
    await use(window.id, 1)
    await Promise.all([watch(), watch()])
    await watch()
    const facts = { username, name: 'Daily', limit: 100, measure: 'requests', resetsAt: clock.seconds() + 60 }
    expect(await messagesOf(id)).toEqual([{ ...facts, percent: 50, used: 50 }])
    await use(window.id, 10)
    await watch()
    expect(await messagesOf(id)).toHaveLength(1)
    await query().updateTable('leases').set({ amount: 10 }).where('kind', '=', 'window').execute()
    await watch()
    expect(await messagesOf(id)).toEqual([
      { ...facts, percent: 50, used: 50 },
      { ...facts, percent: 80, used: 90 },
    ])
    const mails = await query().selectFrom('mails').select('kind').where('kind', '=', 'limit-near').execute()
    expect(mails).toHaveLength(2)
  })

  once('a member is told of a limit of the group, and operators where the limit says so', async () => {
    const { id } = await anAccount(world.ctx)
    const { database } = world.ctx
    const columns = {
      owner: 'group',
      ref: 'default',
      limit_amount: 10,
      alert_percents: '100',
      alerts_operators: 1,
    } as const
    const window = await aWindow(database, id, columns)
    await aPeriod(database, window.id, { subject_id: id, now: clock.seconds(), capacity: 10, used: 10 })
    await watch()
    expect(await messagesOf(id)).toMatchObject([{ percent: 100, used: 10 }])
    const events = await query()
      .selectFrom('operator_events')
      .select('facts')
      .where('kind', '=', 'limit-near')
      .execute()
    expect(events).toHaveLength(1)
  })

  once('no one is told of a period that has ended', async () => {
    const { id } = await anAccount(world.ctx)
    const window = await aWindow(world.ctx.database, id, { alert_percents: '50' })
    const ends_at = clock.seconds()
    await aPeriod(world.ctx.database, window.id, { subject_id: id, now: ends_at, ends_at, used: 90 })
    await watch()
    expect(await messagesOf(id)).toEqual([])
  })
})
