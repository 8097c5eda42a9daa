import { expect, test } from 'bun:test'
import { sessionRoutes } from '@tollgate/contract'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'
import { call } from '../../lib/api/api'

const ann = { id: 7, username: 'ann', display_name: 'Ann', role: 1, status: 1, group: 'default' }
const request = { token: 'the-token', expires_at: 1, factors: ['totp', 'recovery_code'] }
const credentials = { username: 'ann', password: 'correct horse' }

/** A gateway whose sign-in requires a second factor; `123456` and `ABCD` are valid. */
const aGateway = () =>
  serve({
    'POST /api/user/login': () =>
      Response.json({ success: false, message: 'More', code: 'login.second_factor', second_factor: request }),
    'POST /api/user/login/factor': ({ body }) =>
      ['123456', 'ABCD'].includes((body as { proof: { code: string } }).proof.code)
        ? ann
        : Response.json({ success: false, message: 'That did not work', code: 'factor.wrong' }),
  })

const signIn = () =>
  call(sessionRoutes.logIn, { body: credentials }).then(
    (user) => user,
    (error: unknown) => (error as { code?: string }).code,
  )

test('the sign-in continues with a valid code', async () => {
  const calls = aGateway()
  const { user } = await renderConsole(null)
  const signedIn = signIn()
  await user.type(await screen.findByLabelText('Verification code'), '000000{Enter}')
  expect(await screen.findByText('That did not work')).toBeTruthy()
  await user.clear(screen.getByLabelText('Verification code'))
  await user.type(screen.getByLabelText('Verification code'), '123456{Enter}')
  expect(await signedIn).toEqual(ann)
  expect(calls.at(-1)?.body).toEqual({ token: 'the-token', proof: { kind: 'totp', code: '123456' } })
  await untilGone(() => screen.queryByRole('dialog'))
})

test('a recovery code works instead', async () => {
  const calls = aGateway()
  const { user } = await renderConsole(null, { language: 'zh' })
  const signedIn = signIn()
  await user.click(await screen.findByRole('button', { name: '改用恢复码' }))
  await user.type(screen.getByLabelText('恢复码'), 'ABCD{Enter}')
  expect(await signedIn).toEqual(ann)
  expect(calls.at(-1)?.body).toEqual({ token: 'the-token', proof: { kind: 'recovery_code', code: 'ABCD' } })
})

test('cancelling does not sign in', async () => {
  aGateway()
  const { user } = await renderConsole(null)
  const signedIn = signIn()
  await screen.findByLabelText('Verification code')
  await user.click(screen.getAllByRole('button', { name: 'Cancel' })[0] ?? document.body)
  expect(await signedIn).toBe('login.second_factor')
})
