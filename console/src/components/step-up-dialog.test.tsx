import { expect, test } from 'bun:test'
import { selfRoutes } from '@tollgate/contract'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../test/render'
import { Refusal, serve } from '../../test/server'
import { call } from '../lib/api'

/** A gateway that mints access tokens for whoever shows the proof. */
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

const outcomeOf = (made: Promise<unknown>) =>
  made.then(
    (answer) => answer,
    (error: unknown) => (error as { code?: string }).code,
  )

test('a call that wants the password is repeated with the proof once the reader gave it', async () => {
  const { proofs, calls } = aGateway()
  const { user } = await renderConsole(null)
  const made = outcomeOf(call(selfRoutes.newAccessToken))
  await user.type(await screen.findByLabelText('Your password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('That is not your password')).toBeTruthy()
  await user.clear(screen.getByLabelText('Your password'))
  await user.type(screen.getByLabelText('Your password'), 'right{Enter}')
  expect(await made).toBe('the-token')
  expect(proofs).toEqual([null, 'the-proof'])
  expect(calls.at(-2)?.body).toEqual({ purpose: 'access_token', password: 'right' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a reader who would rather not is told what was wanted, and nothing is repeated', async () => {
  const { proofs } = aGateway()
  const { user } = await renderConsole(null, { language: 'zh' })
  const made = outcomeOf(call(selfRoutes.newAccessToken))
  expect(await screen.findByText('生成访问令牌前，请输入密码确认身份。')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '取消' }))
  expect(await made).toBe('auth.step_up')
  expect(proofs).toEqual([null])
})
