import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { aUserSubscription } from '../../../test/plan-factories'
import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { SubscriptionList } from './subscription-list'

async function draw(grants: readonly Grant[], items = [aUserSubscription()]) {
  const calls = serve({ 'GET /api/plan/subscriptions': () => ({ items, page: 1, page_size: 10, total: items.length }) })
  const view = await renderConsole(<SubscriptionList of={{ user_id: 7 }} />, { grants })
  await waitFor(() => expect(calls).toHaveLength(1))
  return { ...view, calls }
}

test('the subscriptions of a user are named after their plans; ended ones are shown when they are wanted', async () => {
  const { user, calls } = await draw(['orders.read'])
  expect(await screen.findByText('Pro')).toBeTruthy()
  expect(screen.queryByText('mei')).toBeNull()
  expect(calls[0]?.query).toMatchObject({ user_id: '7', state: 'active' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Which subscriptions' }), 'all')
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]?.query['state']).toBeUndefined()
})

test('only those who may change balances end a subscription, and only a running one', async () => {
  const { unmount } = await draw(['orders.read'])
  await screen.findByText('Pro')
  expect(screen.queryByRole('button', { name: /^More actions/ })).toBeNull()
  unmount()
  await draw(['orders.read', 'balances.write'], [aUserSubscription({ state: 'ended' })])
  await screen.findByText(/^Ended on/)
  expect(screen.queryByRole('button', { name: /^More actions/ })).toBeNull()
})

test('a user without subscriptions has a line that says so', async () => {
  await draw(['orders.read'], [])
  expect(await screen.findByText('No active subscriptions')).toBeTruthy()
})
