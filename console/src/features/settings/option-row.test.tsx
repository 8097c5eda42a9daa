import { expect, test } from 'bun:test'
import type { OptionKey } from '@tollgate/contract'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { OptionRow } from './option-row'
import type { OptionRow as Row } from './option-value'
import { useSettings } from './use-settings'

/** Renders rows of options as their page does. */
async function draw(rows: readonly Row[], site: { readonly display_in_currency?: boolean } = {}) {
  const calls = serve({ 'GET /api/option': () => rows, 'PUT /api/option/batch': () => null })
  const view = await renderConsole(<Rows keys={rows.map(({ key }) => key as OptionKey)} />, {
    user: { role: 100 },
    site,
  })
  return { ...view, calls }
}

function Rows({ keys }: { readonly keys: readonly OptionKey[] }) {
  const settings = useSettings()
  return (
    <>
      {keys.map((key) => (
        <OptionRow key={key} optionKey={key} settings={settings} />
      ))}
      <button type="button" onClick={() => void settings.save()}>
        {'Save'}
      </button>
    </>
  )
}

test('a switch names missing prerequisites until they are filled in', async () => {
  const { user, calls } = await draw([
    { key: 'WeChatAuthEnabled', value: 'false' },
    { key: 'WeChatServerAddress', value: '' },
  ])
  await user.click(await screen.findByRole('switch', { name: /WeChat sign-in/ }))
  await screen.findByText('Fill in first: WeChat server address')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.type(screen.getByRole('textbox', { name: 'WeChat server address' }), 'https://wechat.example')
  expect(screen.queryByText(/Fill in first/)).toBeNull()
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('a stored secret is removed only on request, and that can be undone', async () => {
  const { user, calls } = await draw([{ key: 'SMTPToken', value: '', is_set: true }])
  const field = await screen.findByLabelText<HTMLInputElement>('SMTP password')
  await user.type(field, 'x{Backspace}')
  expect(screen.queryByText('Will be removed')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove: SMTP password' }))
  screen.getByText('Will be removed')
  await user.click(screen.getByRole('button', { name: 'Undo: SMTP password' }))
  expect(screen.queryByText('Will be removed')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove: SMTP password' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ items: [{ key: 'SMTPToken', value: '' }] })
})

test('the example of an amount is in the unit that its field takes', async () => {
  const rows = [{ key: 'QuotaForNewUser', value: '0' }]
  const { unmount } = await draw(rows)
  expect((await screen.findByText(/^Example/)).textContent).toBe('Example: $1.00')
  unmount()
  await draw(rows, { display_in_currency: false })
  expect((await screen.findByText(/^Example/)).textContent).toBe('Example: 500,000')
})
