import { expect, test } from 'bun:test'

import { objectOr } from '../json'
import { balanceCalls } from './account'

const account = { models: [], balance: 42.5 }

test.each([
  ['/dashboard/billing/usage', { total_usage: 5750 }],
  ['/credits', { data: { total_credits: 100, total_usage: 57.5 } }],
  ['/users/me/balance', { data: { available_balance: 42.5 } }],
  ['/user/info', { data: { totalBalance: '42.50' } }],
])('%s reports the balance in its vendor’s shape', (ending, expected) => {
  const response = balanceCalls[ending]?.(account)
  expect(response?.kind === 'whole' && objectOr(response.body)).toMatchObject(expected)
})
