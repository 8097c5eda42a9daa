import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import type { paymentRoutes } from '@tollgate/contract'

import { anOwnOrder } from '../../test/factories'
import { renderConsole } from '../../test/render'
import { serve } from '../../test/server'
import { OrderStatus, useCheckOrder } from './order'

test.each<[Partial<paymentRoutes.OwnOrder>, string]>([
  [{ status: 'pending' }, 'Pending'],
  [{ status: 'pending', is_under_way: true }, 'Processing'],
  [{ status: 'paid' }, 'Paid'],
  [{ status: 'paid', refunded: '0.01' }, 'Partly refunded'],
  [{ status: 'refunded', refunded: '73.00' }, 'Refunded'],
  [{ status: 'disputed', refunded: '1.00' }, 'Disputed'],
  [{ status: 'failed' }, 'Failed'],
  [{ status: 'expired' }, 'Expired'],
])('an order with %j is “%s”', async (fields, text) => {
  await renderConsole(
    <main>
      <OrderStatus order={anOwnOrder(fields)} />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toBe(text)
})

function Check() {
  const { check } = useCheckOrder()
  return (
    <button type="button" onClick={() => check('USR1')}>
      {'Check'}
    </button>
  )
}

test.each([
  ['paid', 'The order is paid and credited.'],
  ['pending', 'The payment provider has not received the payment yet.'],
  ['unreachable', 'The payment provider did not respond. Try again later.'],
])('an order that is checked and found %s says so', async (outcome, sentence) => {
  const calls = serve({ 'POST /api/user/topup/check': () => ({ status: 'pending', outcome }) })
  const { user } = await renderConsole(<Check />)
  await user.click(screen.getByText('Check'))
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(calls[0]?.body).toEqual({ trade_no: 'USR1' })
})
