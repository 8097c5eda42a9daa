import { afterEach, expect, test } from 'bun:test'
import type { noticeRoutes } from '@tollgate/contract'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { anAccount } from '../../../../test/user-factory'
import { NotificationTab } from './notification-tab'

afterEach(() => localStorage.clear())

const hook = {
  notify_type: 'webhook',
  webhook_url: 'https://hook.example/in',
  quota_warning_threshold: 1_000_000,
  language: 'zh',
}

const delivery = (fields: Partial<noticeRoutes.WebhookDelivery>): noticeRoutes.WebhookDelivery => ({
  id: 'a'.repeat(32),
  type: 'quota_exceed',
  url: 'https://hook.example/in',
  body: '{}',
  attempts: 1,
  created_at: 1_700_000_000,
  due_at: null,
  delivered_at: 1_700_000_000,
  attempted_at: 1_700_000_000,
  status: 200,
  duration_ms: 120,
  response: '',
  failure: '',
  ...fields,
})

async function open(setting: object, responses: Parameters<typeof serve>[0] = {}) {
  const calls = serve({
    'GET /api/user/self': () => anAccount({ email: 'ada@example.com', setting: JSON.stringify(setting) }),
    'GET /api/user/notices/deliveries': () => ({ items: [], page: 1, page_size: 10, total: 0 }),
    'PUT /api/user/setting': () => null,
    ...responses,
  })
  const view = await renderConsole(<NotificationTab />)
  await screen.findByRole('button', { name: 'Save' })
  return { ...view, bodies: (method: string) => calls.filter((call) => call.method === method).map(({ body }) => body) }
}

test('a click sets the threshold, and notifications go to the account’s address unless another is given', async () => {
  const { user, bodies } = await open({})
  expect(screen.getByLabelText<HTMLInputElement>('Email address').placeholder).toBe('ada@example.com')
  await user.click(screen.getByRole('button', { name: '$10.00' }))
  await user.type(screen.getByLabelText('Email address'), 'ops@example.com')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bodies('PUT')).toEqual([
      {
        notify_type: 'email',
        quota_warning_threshold: 5_000_000,
        notification_email: 'ops@example.com',
        webhook_url: '',
        webhook_secret: '',
      },
    ]),
  )
})

test('the threshold shown is the one in force, and saving something else keeps following the site', async () => {
  const { user, bodies } = await open({})
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Warn me below' }).value).toBe('$0.002')
  expect(screen.getByText(/^The default of this site/)).toBeTruthy()
  await user.type(screen.getByLabelText('Email address'), 'ops@example.com')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(bodies('PUT')).toHaveLength(1))
  expect(bodies('PUT')[0]).not.toHaveProperty('quota_warning_threshold')
})

test('a threshold a hundred times above the usual is asked about before it is saved', async () => {
  const { user, bodies } = await open({})
  const threshold = screen.getByRole('textbox', { name: 'Warn me below' })
  await user.clear(threshold)
  await user.type(threshold, '500000')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^Warn me below would be \$500,000\.00/)).toBeTruthy()
  expect(bodies('PUT')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Save anyway' }))
  await waitFor(() => expect(bodies('PUT')).toMatchObject([{ quota_warning_threshold: 250_000_000_000 }]))
})

test('a webhook requires an https address; the server’s refusal is shown at its field', async () => {
  const { user, bodies } = await open(
    {},
    { 'PUT /api/user/setting': () => new Refusal('setting.webhook', 'Not that one') },
  )
  await user.click(screen.getByRole('radio', { name: 'Webhook' }))
  await user.type(screen.getByLabelText('Webhook address'), 'http://hook.example')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter an address that starts with https://')).toBeTruthy()
  expect(bodies('PUT')).toEqual([])
  await user.clear(screen.getByLabelText('Webhook address'))
  await user.type(screen.getByLabelText('Webhook address'), 'https://hook.example')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Not that one')).toBeTruthy()
})

test('a test is sent only once everything is saved', async () => {
  const { user, bodies } = await open(hook, {
    'POST /api/user/notices/test': () => ({ type: 'webhook', to: hook.webhook_url }),
  })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send a test' })
  await user.type(screen.getByLabelText('Webhook secret'), 'x')
  expect(button.disabled).toBe(true)
  await user.clear(screen.getByLabelText('Webhook secret'))
  await user.click(button)
  expect(await screen.findByText('A test is on its way to https://hook.example/in')).toBeTruthy()
  expect(bodies('POST')).toHaveLength(1)
})

test('users who are notified by mail see the webhooks of their tasks', async () => {
  const items = [delivery({ type: 'task' })]
  await open({}, { 'GET /api/user/notices/deliveries': () => ({ items, page: 1, page_size: 10, total: 1 }) })
  expect(await screen.findByText('Task ended')).toBeTruthy()
})

test('deliveries show their responses, and one is sent again', async () => {
  const failed = delivery({ id: 'b'.repeat(32), type: 'test', delivered_at: null, status: 500, response: 'broken' })
  const { user, bodies } = await open(hook, {
    'GET /api/user/notices/deliveries': () => ({
      items: [
        failed,
        delivery({}),
        delivery({ id: 'c'.repeat(32), delivered_at: null, status: null, failure: 'timeout' }),
        delivery({ id: 'd'.repeat(32), type: 'task', delivered_at: null, status: null, duration_ms: null }),
      ],
      page: 1,
      page_size: 10,
      total: 4,
    }),
    [`POST /api/user/notices/deliveries/${failed.id}`]: () => null,
  })
  for (const text of ['Rejected (500)', 'broken', 'Delivered (200)', 'Timed out', 'Task ended', 'On its way'])
    expect(await screen.findByText(text)).toBeTruthy()
  const [first] = screen.getAllByRole('button', { name: 'Deliver again' })
  if (first) await user.click(first)
  expect(await screen.findByText('The webhook is on its way')).toBeTruthy()
  expect(bodies('POST')).toHaveLength(1)
})
