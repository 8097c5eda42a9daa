import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { anAccount } from '../../../../test/user-factory'
import { BalanceCard } from './balance-card'
import { RedeemCard } from './redeem-card'

const endsAt = 1_700_000_000

test('the balance tells what of it expires and when, without what is spent', async () => {
  serve({
    'GET /api/user/self': () => anAccount(),
    'GET /api/user/expiring_quota': () => [
      { quota: 1_000_000, unspent: 0, ends_at: endsAt - 1 },
      { quota: 1_000_000, unspent: 500_000, ends_at: endsAt },
    ],
  })
  await renderConsole(<BalanceCard />)
  expect(await screen.findByText(/^\$1\.00 of it expires on 2023-11-14 .* unless it is spent\.$/)).toBeTruthy()
  expect(screen.getAllByText(/of it expires/)).toHaveLength(1)
})

test('a redeemed code tells when what it gave expires, and the balance follows', async () => {
  let isRedeemed = false
  const calls = serve({
    'GET /api/user/self': () => anAccount(),
    'GET /api/user/expiring_quota': () => (isRedeemed ? [{ quota: 500_000, unspent: 500_000, ends_at: endsAt }] : []),
    'POST /api/user/topup': () => {
      isRedeemed = true
      return { quota: 500_000, is_gift: false, ends_at: endsAt }
    },
  })
  const { user } = await renderConsole(
    <>
      <BalanceCard />
      <RedeemCard initialCode="SPRING" onForget={() => {}} />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Redeem' }))
  expect(await screen.findByText(/Redeemed: \$1\.00 What is unspent of it expires on 2023-11-14/)).toBeTruthy()
  await waitFor(() => expect(screen.getByText(/\$1\.00 of it expires on/)).toBeTruthy())
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
})
