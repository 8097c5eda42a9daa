import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { defaultOptions, isSecretOption, optionText } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { SettingsPage } from './settings-page'
import { SettingsSearch } from './settings-search'

/** One of each kind: the page has no others. */
const options = ['EventChannelEnabled', 'EventSlackUrl', 'EventDiscordUrl', 'EventWebhookUrl'] as const

const storedValue = () =>
  options.map((key) =>
    isSecretOption(key)
      ? { key, value: '', is_set: key === 'EventSlackUrl' }
      : { key, value: optionText(key, defaultOptions[key]) },
  )

const show = (role: number, language: 'en' | 'zh' = 'en') =>
  renderConsole(<SettingsPage />, {
    address: '/admin/settings?page=events',
    path: '/admin/settings',
    validateSearch: (search) => SettingsSearch.parse(search),
    user: { role },
    language,
  })

test('the media of an event are chosen as boxes and saved as a list', async () => {
  const calls = serve({ 'GET /api/option': storedValue, 'PUT /api/option/batch': () => null })
  const { user } = await show(100)
  const group = await screen.findByRole('group', { name: 'A channel works again' })
  const boxes = [...group.querySelectorAll('input')]
  expect(boxes.map(({ checked }) => checked)).toEqual([true, false, true])
  await user.click(boxes[1] as HTMLInputElement)
  await user.click(boxes[0] as HTMLInputElement)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { items: [{ key: 'EventChannelEnabled', value: 'mail,webhook' }] },
  ])
})

test('the address of a webhook is never shown, only that it is set', async () => {
  serve({ 'GET /api/option': storedValue })
  await show(100)
  expect((await screen.findByLabelText<HTMLInputElement>('Slack webhook')).value).toBe('')
  expect(screen.getByLabelText<HTMLInputElement>('Slack webhook').placeholder).toBe('Set · type to replace')
  expect(screen.getByLabelText<HTMLInputElement>('Discord webhook').placeholder).toBe('Not set')
})

test('the test names each place and what became of it', async () => {
  const results = [
    { target: 'inbox', to: '', outcome: 'sent', detail: '' },
    { target: 'mail', to: 'ops@example.com', outcome: 'refused', detail: 'no such mailbox' },
    { target: 'slack', to: '', outcome: 'sent', detail: '' },
    { target: 'wecom', to: '', outcome: 'timeout', detail: '' },
  ]
  serve({ 'GET /api/option': storedValue, 'POST /api/option/test_events': () => results })
  const { user } = await show(100)
  await user.click(await screen.findByRole('button', { name: 'Send a test' }))
  const list = await screen.findByRole('list', { name: 'Results of the test' })
  expect([...list.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Inbox: Sent',
    'Mail to ops@example.com: Refused: no such mailbox',
    'Slack: Sent',
    'WeCom: No response within 10 seconds',
  ])
})

test('an administrator without the right to secrets is offered no test', async () => {
  serve({ 'GET /api/option': storedValue })
  await show(10)
  await screen.findByRole('group', { name: 'A channel works again' })
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull()
})
