import { expect, test } from 'bun:test'
import { act, screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { aTurnstile } from '../../../test/turnstile'
import { useBotCheck } from './use-bot-check'

const missing = 'Please complete the check that you are human'

async function open(isOn: boolean) {
  const drawn = aTurnstile()
  const sent: (object | null)[] = []
  function Form() {
    const check = useBotCheck('register')
    return (
      <>
        {check.widget}
        <button type="button" onClick={() => void sent.push(check.mayGoOn() ? check.query : null)}>
          {'Send'}
        </button>
        <button type="button" onClick={check.renew}>
          {'Renew'}
        </button>
      </>
    )
  }
  const view = await renderConsole(<Form />, { site: { turnstile_check: isOn, turnstile_site_key: 'site-key' } })
  return { ...view, drawn, sent, send: () => view.user.click(screen.getByText('Send')) }
}

test('a form of a site without a bot check is sent without a token', async () => {
  const { drawn, sent, send } = await open(false)
  await send()
  expect(sent).toEqual([{}])
  expect(drawn).toEqual([])
})

test('a form is sent only with the token of its bot check, and says what is missing', async () => {
  const { drawn, sent, send } = await open(true)
  await waitFor(() => expect(drawn).toHaveLength(1))
  expect(drawn[0]).toMatchObject({ action: 'register', sitekey: 'site-key' })
  await send()
  expect(sent).toEqual([null])
  expect(screen.getByText(missing)).toBeTruthy()
  act(() => drawn[0]?.solve('token-1'))
  expect(screen.queryByText(missing)).toBeNull()
  await send()
  expect(sent).toEqual([null, { turnstile: 'token-1' }])
})

test('a used token is renewed by another check', async () => {
  const { user, drawn, sent, send } = await open(true)
  await waitFor(() => expect(drawn).toHaveLength(1))
  act(() => drawn[0]?.solve('token-1'))
  await user.click(screen.getByText('Renew'))
  await waitFor(() => expect(drawn).toHaveLength(2))
  expect(drawn[0]?.isGone).toBe(true)
  expect(screen.queryByText(missing)).toBeNull()
  await send()
  act(() => drawn[1]?.solve('token-2'))
  await send()
  expect(sent).toEqual([null, { turnstile: 'token-2' }])
})
