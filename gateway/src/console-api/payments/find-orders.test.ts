import { beforeAll, expect, test } from 'bun:test'

import { pageOf, type paymentRoutes } from '@tollgate/contract'

import { onBothDatabases } from '../../../test/databases'
import type { Context } from '../../context'
import { findOrders } from './find-orders'

const anOrder = (
  fields: { number: string; user_id: number } & Partial<Record<'minor' | 'quota' | 'paid_at', number>>,
) => ({
  provider: 'epay',
  merchant: '1',
  method: 'zfb',
  amount: 1,
  minor: 100,
  currency: 'CNY',
  quota: 10,
  status: 'paid' as const,
  created_at: 1,
  expires_at: 2,
  ...fields,
})

const aUser = (id: number, username: string) => ({
  id,
  username,
  username_key: username,
  display_name: '',
  password_hash: '',
  role: 1,
  status: 1,
  aff_code: username,
  created_at: 1,
})

onBothDatabases('orders of all users', (world) => {
  beforeAll(async () => {
    const { query } = world().database
    await query
      .insertInto('users')
      .values([aUser(1, 'ann'), aUser(2, 'anna'), aUser(3, 'bob')])
      .execute()
    await query
      .insertInto('orders')
      .values([
        anOrder({ number: 'A1', user_id: 1, minor: 300, quota: 5, paid_at: 9 }),
        anOrder({ number: 'A12', user_id: 2, minor: 200, quota: 30, paid_at: 0 }),
        {
          ...anOrder({ number: 'B3', user_id: 3, minor: 900, quota: 20, paid_at: 4 }),
          currency: 'USD',
          provider: 'stripe',
        },
      ])
      .execute()
  })

  const numbers = async (
    filter: paymentRoutes.OrderFilter & { sort?: paymentRoutes.OrderSort; descending?: boolean },
  ) => {
    const ctx = { database: world().database } as unknown as Context
    return (await findOrders(ctx, filter, pageOf({}))).items.map(({ trade_no: number }) => number)
  }

  test('orders are sorted by any figure; money within its currency, and unpaid ones last', async () => {
    expect(await numbers({})).toEqual(['B3', 'A12', 'A1'])
    expect(await numbers({ sort: 'created' })).toEqual(['B3', 'A12', 'A1'])
    expect(await numbers({ sort: 'money', descending: true })).toEqual(['A1', 'A12', 'B3'])
    expect(await numbers({ sort: 'quota' })).toEqual(['A1', 'B3', 'A12'])
    expect(await numbers({ sort: 'paid' })).toEqual(['B3', 'A1', 'A12'])
    expect(await numbers({ sort: 'paid', descending: true })).toEqual(['A1', 'B3', 'A12'])
    expect(await numbers({ sort: 'provider', descending: true })).toEqual(['B3', 'A12', 'A1'])
  })

  test('the order or the user whose whole name is searched for comes first', async () => {
    expect(await numbers({ keyword: 'A1' })).toEqual(['A1', 'A12'])
    expect(await numbers({ keyword: 'Ann' })).toEqual(['A1', 'A12'])
  })
})
