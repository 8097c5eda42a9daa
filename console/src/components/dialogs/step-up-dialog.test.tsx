import { expect, test } from 'bun:test'
import { accountRoutes } from '@tollgate/contract'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { aBrowserWithPasskeys, passkeyResponse } from '../../../test/passkeys'
import { untilGone } from '../../../test/until-gone'
import { call } from '../../lib/api/api'

/** A gateway that creates access tokens for any proof. */
function aGateway() {
  const proofs: (string | null)[] = []
  const calls = serve({
    'POST /api/user/token': (_, headers) => {
      proofs.push(headers.get('Tollgate-Step-Up'))
      return headers.has('Tollgate-Step-Up') ? 'the-token' : new Refusal('auth.step_up', 'Confirm it', 403)
    },
    'POST /api/user/step_up': ({ body }) =>
      (body as { password: string }).password === 'right'
        ? { proof: 'the-proof', expires_at: 1 }
        : new Refusal('user.password_original', 'That is not your password'),
  })
  return { proofs, calls }
}

const outcomeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    (result) => result,
    (error: unknown) => (error as { code?: string }).code,
  )

test('a call that requires the password is repeated with the proof', async () => {
  const { proofs, calls } = aGateway()
  const { user } = await renderConsole(null)
  const outcome = outcomeOf(call(accountRoutes.newAccessToken))
  await user.type(await screen.findByLabelText('Your password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('That is not your password')).toBeTruthy()
  await user.clear(screen.getByLabelText('Your password'))
  await user.type(screen.getByLabelText('Your password'), 'right{Enter}')
  expect(await outcome).toBe('the-token')
  expect(proofs).toEqual([null, 'the-proof'])
  expect(calls.at(-2)?.body).toEqual({ purpose: 'access_token', password: 'right' })
  await untilGone(() => screen.queryByRole('dialog'))
})

test('cancelling shows what was required, and nothing is repeated', async () => {
  const { proofs } = aGateway()
  const { user } = await renderConsole(null, { language: 'zh' })
  const outcome = outcomeOf(call(accountRoutes.newAccessToken))
  expect(await screen.findByText('生成访问令牌前，请输入密码确认身份。')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '取消' }))
  expect(await outcome).toBe('auth.step_up')
  expect(proofs).toEqual([null])
})

const factors = {
  totp_since: 1,
  recovery_codes: 8,
  passkeys: [],
  is_required: false,
  has_password: true,
  can_use_passkeys: true,
  factors: ['totp', 'recovery_code'],
}

/** A gateway that creates access tokens for any proof, for an account with second factors. */
const aGatewayWith = (held: object) =>
  serve({
    'GET /api/user/factors': () => held,
    'POST /api/user/token': (_, headers) =>
      headers.has('Tollgate-Step-Up') ? 'the-token' : new Refusal('auth.step_up', 'Confirm it', 403),
    'POST /api/user/step_up/passkey': () => ({ challenge: 'the-challenge' }),
    'POST /api/user/step_up': () => ({ proof: 'the-proof', expires_at: 1 }),
  })

test('a code of the authenticator app works instead of the password', async () => {
  const calls = aGatewayWith(factors)
  const { user } = await renderConsole(null)
  const outcome = outcomeOf(call(accountRoutes.newAccessToken))
  await user.click(await screen.findByRole('button', { name: 'Use the authenticator app instead' }))
  await user.type(screen.getByLabelText('Verification code'), '123456{Enter}')
  expect(await outcome).toBe('the-token')
  expect(calls.at(-2)?.body).toEqual({ purpose: 'access_token', factor: { kind: 'totp', code: '123456' } })
})

test('an account without a password is asked for a code first', async () => {
  aGatewayWith({ ...factors, has_password: false })
  await renderConsole(null)
  const outcome = outcomeOf(call(accountRoutes.newAccessToken))
  await screen.findByLabelText('Verification code')
  expect(screen.queryByLabelText('Your password')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Use your password instead' })).toBeNull()
  screen.getByRole('button', { name: 'Cancel' }).click()
  expect(await outcome).toBe('auth.step_up')
})

test('a passkey works where the account has one', async () => {
  const takeAway = aBrowserWithPasskeys('the-challenge')
  const calls = aGatewayWith({ ...factors, factors: ['passkey'] })
  const { user } = await renderConsole(null)
  const outcome = outcomeOf(call(accountRoutes.newAccessToken))
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }))
  expect(await outcome).toBe('the-token')
  expect(calls.at(-2)?.body).toMatchObject({
    purpose: 'access_token',
    factor: { kind: 'passkey', answer: passkeyResponse },
  })
  takeAway()
})
