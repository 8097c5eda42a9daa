import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import type { paymentCallbackRoutes, RouteResult } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { CallbackTest } from './callback-test'
import { useSettings } from './use-settings'

type TestResult = RouteResult<typeof paymentCallbackRoutes.testCallbacks>

const url = 'https://gate.example/api/user/epay/notify'
const aResult = (fields: Partial<TestResult>): TestResult => ({
  outcome: 'ok',
  url,
  status: 200,
  excerpt: '',
  ...fields,
})

function Extra() {
  return <CallbackTest settings={useSettings()} />
}

test.each([
  [
    'ok',
    aResult({}),
    'The callback address works: this gateway answered at https://gate.example/api/user/epay/notify.',
  ],
  [
    'elsewhere',
    aResult({ outcome: 'elsewhere', status: 404, excerpt: 'nginx' }),
    'Something else answered at https://gate.example/api/user/epay/notify, with status 404. Check the address and the proxy.',
  ],
  [
    'no_address',
    aResult({ outcome: 'no_address', url: '', status: 0 }),
    'There is no address yet. Fill in the server address on the General page first.',
  ],
])('the result of the callback test is shown in words: %s', async (_outcome, result, sentence) => {
  serve({ 'GET /api/option': () => [], 'POST /api/option/payment/self-test': () => result })
  const { user } = await renderConsole(<Extra />, { user: { role: 100 } })
  await user.click(await screen.findByRole('button', { name: 'Test the callback address' }))
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.queryAllByText('nginx')).toHaveLength(result.excerpt === 'nginx' ? 1 : 0)
})
