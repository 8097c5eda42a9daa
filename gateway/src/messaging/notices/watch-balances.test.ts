import { userStatus } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { anAccount } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { FakeTime } from '../../../test/fake-time'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { notifyLowBalances } from './watch-balances'

const hour = 3600

describe.each(kinds)('low balances (%s)', (kind) => {
  const clock = new FakeTime()
  let world: World
  beforeAll(async () => {
    world = await createWorld({ kind, clock })
    await setOptionsIn(world.ctx, { QuotaRemindThreshold: '1000' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const nowSeconds = () => clock.seconds()
  const query = () => world.ctx.database.query

  /** A user who owns this quota, and was charged in an hour this long ago. */
  async function aUser(quota: number, { chargedHoursAgo = 0, ...values }: UserChange = {}): Promise<number> {
    const { id } = await anAccount(world.ctx)
    await query()
      .updateTable('users')
      .set({ quota, ...values })
      .where('id', '=', id)
      .execute()
    await charge(id, chargedHoursAgo)
    return id
  }
  const charge = (userId: number, hoursAgo = 0) =>
    query()
      .insertInto('rollups')
      .values({
        hour: hour * (Math.floor(nowSeconds() / hour) - hoursAgo),
        user_id: userId,
        token_name: '',
        model_name: 'm',
        channel_id: 1,
        group: 'default',
        count: 1,
        errors: 0,
        quota: 1,
        prompt_tokens: 1,
        completion_tokens: 1,
        use_time: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()

  interface UserChange {
    readonly chargedHoursAgo?: number
    readonly status?: number
    readonly deleted_at?: number
    readonly warned_below?: number
  }

  /** Looks, and resolves with who of these users was notified by it. */
  async function watchAndCheckNotified(...ids: readonly number[]): Promise<boolean[]> {
    const noticesOf = async () => {
      const rows = await query()
        .selectFrom('message_receipts')
        .innerJoin('messages', 'messages.id', 'message_receipts.message_id')
        .select('message_receipts.user_id')
        .where('messages.kind', '=', 'low-balance')
        .execute()
      return ids.map((id) => rows.filter(({ user_id }) => user_id === id).length)
    }
    const before = await noticesOf()
    await notifyLowBalances(world.ctx)
    return (await noticesOf()).map((count, at) => count > (before[at] ?? 0))
  }

  test('a user is notified below the threshold, not at it, and by their own threshold where they have one', async () => {
    const users = [
      await aUser(999),
      await aUser(1000),
      await aUser(1500, { warned_below: 1501 }),
      await aUser(999, { warned_below: 999 }),
      await aUser(-5),
    ]
    expect(await watchAndCheckNotified(...users)).toEqual([true, false, true, false, true])
    expect(await watchAndCheckNotified(...users)).toEqual([false, false, false, false, false])
  })

  test('what workers hold of a balance counts as the user’s', async () => {
    const [rich, poor] = [await aUser(400), await aUser(400)]
    const lease = (userId: number, amount: number) => ({
      id: `lease-${userId}`,
      worker_id: 'w',
      kind: 'user' as const,
      ref_id: userId,
      amount,
      created_at: 1,
    })
    await query()
      .insertInto('leases')
      .values([lease(rich, 600), lease(poor, 599)])
      .execute()
    expect(await watchAndCheckNotified(rich, poor)).toEqual([false, true])
    await query().deleteFrom('leases').execute()
  })

  test('a user who is disabled, deleted or was not charged lately is not notified', async () => {
    const users = [
      await aUser(1, { status: userStatus.disabled }),
      await aUser(1, { deleted_at: 1 }),
      await aUser(1, { chargedHoursAgo: 4 }),
      await aUser(1, { chargedHoursAgo: 3 }),
    ]
    expect(await watchAndCheckNotified(...users)).toEqual([false, false, false, true])
  })

  test('a user is notified again after two hours at the earliest, and only if the balance rose in between', async () => {
    const [risen, stayed] = [await aUser(1), await aUser(1)]
    expect(await watchAndCheckNotified(risen, stayed)).toEqual([true, true])
    // Credited 2,000, of which 2,000 were used.
    await query().updateTable('users').set({ used_quota: 2000 }).where('id', '=', risen).execute()
    const later = async (ms: number) => {
      clock.advance(ms)
      for (const id of [risen, stayed]) await charge(id)
      return watchAndCheckNotified(risen, stayed)
    }
    expect(await later(2 * hour * 1000 - 1000)).toEqual([false, false])
    expect(await later(1000)).toEqual([true, false])
  })
})
