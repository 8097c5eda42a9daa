import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import type { paymentRoutes, RouteAnswer } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { CallbackTest } from './callback-test'
import { useSettings } from './use-settings'

type TestResult = RouteAnswer<typeof paymentRoutes.testCallbacks>

const url = 'https://gate.example/api/user/epay/notify'
const found = (fields: Partial<TestResult>): TestResult => ({ outcome: 'ok', url, status: 200, excerpt: '', ...fields })

function Extra() {
  return <CallbackTest settings={useSettings()} />
}

test.each([
  ['ok', found({}), 'The callback address works: this gateway answered at https://gate.example/api/user/epay/notify.'],
  [
    'elsewhere',
    found({ outcome: 'elsewhere', status: 404, excerpt: 'nginx' }),
    'Something else answered at https://gate.example/api/user/epay/notify, with status 404. Check the address and the proxy.',
  ],
  [
    'no_address',
    found({ outcome: 'no_address', url: '', status: 0 }),
    'There is no address yet. Fill in the server address on the General page first.',
  ],
])('the result of the callback test is shown in words: %s', async (_outcome, answer, sentence) => {
  serve({ 'GET /api/option': () => [], 'POST /api/option/payment/self-test': () => answer })
  const { user } = await renderConsole(<Extra />, { user: { role: 100 } })
  await user.click(await screen.findByRole('button', { name: 'Test the callback address' }))
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.queryAllByText('nginx')).toHaveLength(answer.excerpt === 'nginx' ? 1 : 0)
})
