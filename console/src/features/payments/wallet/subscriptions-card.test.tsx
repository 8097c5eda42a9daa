import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aSubscription } from '../../../../test/plan-factories'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { anAccount } from '../../../../test/user-factory'
import { SubscriptionsCard } from './subscriptions-card'

test('the wallet names running subscriptions with their end, and leads to the plans', async () => {
  serve({
    'GET /api/user/self': () => anAccount({ has_plans: true }),
    'GET /api/user/subscriptions': () => [
      aSubscription(),
      aSubscription({ id: 12, plan_name: 'Earlier', state: 'ended', standings: [] }),
    ],
  })
  await renderConsole(<SubscriptionsCard />)
  const card = within(await screen.findByRole('region', { name: 'Your subscriptions' }))
  expect(card.getByText('Pro')).toBeTruthy()
  expect(card.getByText(/^Ends on 2027-02-1\d$/)).toBeTruthy()
  expect(card.queryByText('Earlier')).toBeNull()
  expect(card.getByRole('link', { name: 'Open plans' }).getAttribute('href')).toBe('/app/plans')
})

test('the wallet of an account without plans does not ask for subscriptions', async () => {
  const calls = serve({ 'GET /api/user/self': () => anAccount() })
  const { queryClient } = await renderConsole(<SubscriptionsCard />)
  await waitFor(() => expect(calls).toHaveLength(1))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(calls.map(({ path }) => path)).toEqual(['/api/user/self'])
})
