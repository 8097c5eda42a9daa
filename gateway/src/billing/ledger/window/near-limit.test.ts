import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../../test/databases'
import { aUser } from '../../../../test/ledger'
import { aPeriod, aWindow } from '../../../../test/windows'
import type { WindowRow } from '../../../platform/store/tables'
import { keysNearLimit, usersNearLimit } from './near-limit'

const now = 1_800_000_000

onBothDatabases('near a limit', (world) => {
  interface PeriodOptions {
    readonly used?: number
    readonly leased?: number
    readonly endsAt?: number
    readonly subjectId?: number
    readonly gracePercent?: number
  }
  /** Limits a user by a window of a hundred, of which so much is used in a period. */
  const limitUser = async (userId: number, columns: Partial<WindowRow>, options: PeriodOptions = {}) => {
    const { used = 0, leased = 0, endsAt = now + 60, subjectId = userId, gracePercent = 0 } = options
    const { query } = world().database
    const window = await aWindow(world().database, userId, {
      limit_amount: 100,
      grace_percent: gracePercent,
      ...columns,
    })
    if (columns.ref !== undefined)
      await query.updateTable('windows').set({ ref: columns.ref }).where('id', '=', window.id).execute()
    const capacity = 100 + gracePercent
    await aPeriod(world().database, window.id, { subject_id: subjectId, now, ends_at: endsAt, capacity, used, leased })
  }
  const aMember = async (group: string) => {
    const id = await aUser(world().database, 1)
    await world().database.query.updateTable('users').set({ group }).where('id', '=', id).execute()
    return id
  }
  const nearAmong = async (...ids: readonly number[]) => {
    const rows = await world()
      .database.query.selectFrom('users')
      .select('id')
      .where('id', 'in', ids)
      .where('id', 'in', usersNearLimit(now))
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  test('users are near a limit from 80 % of it on, in the present period, without what is only leased', async () => {
    const { database } = world()
    const [below, near, leasing, past, graced] = [
      await aUser(database, 1),
      await aUser(database, 1),
      await aUser(database, 1),
      await aUser(database, 1),
      await aUser(database, 1),
    ]
    await limitUser(below, {}, { used: 79 })
    await limitUser(near, {}, { used: 80 })
    await limitUser(leasing, {}, { used: 79, leased: 21 })
    await limitUser(past, {}, { used: 100, endsAt: now })
    await limitUser(graced, {}, { used: 80, gracePercent: 50 })
    expect(await nearAmong(below, near, leasing, past, graced)).toEqual([near, graced])
  })

  test('members are near a limit of their group only while they have none of their own and are in it', async () => {
    const { database } = world()
    const [member, ownLimits, left] = [await aMember('vip'), await aMember('vip'), await aMember('default')]
    for (const id of [member, ownLimits, left])
      await limitUser(0, { owner: 'group', ref: 'vip', name: `of ${id}` }, { used: 90, subjectId: id })
    await aWindow(database, ownLimits)
    expect(await nearAmong(member, ownLimits, left)).toEqual([member])
  })

  test('keys are near limits of their own, and not a user with the same id', async () => {
    const { query } = world().database
    const userId = await aUser(world().database, 1)
    await limitUser(userId, { owner: 'token' }, { used: 95 })
    expect(await nearAmong(userId)).toEqual([])
    const ids = await query
      .selectFrom('window_periods')
      .select('subject_id')
      .where('subject_id', '=', userId)
      .where('subject_id', 'in', keysNearLimit(now))
      .execute()
    expect(ids).toEqual([{ subject_id: userId }])
  })
})
