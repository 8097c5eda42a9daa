import { expect, test } from 'bun:test'
import { act, screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import { untilGone } from '../../../test/until-gone'
import { TokenDrawer } from './token-drawer'
import type { Created } from './use-save-token'

const choices = {
  'GET /api/user/self/groups': () => ({ default: { desc: 'For all', ratio: 1 }, gold: { desc: 'Dear', ratio: 4 } }),
  'GET /api/user/models': () => ['big-1', 'small-1'],
}

const bodiesOf = (calls: readonly RecordedCall[], method: string) =>
  calls.filter((call) => call.method === method && call.path === '/api/token').map(({ body }) => body)

async function openDrawer(responses: Parameters<typeof serve>[0], id?: number, language: 'en' | 'zh' = 'en') {
  const calls = serve({ ...choices, ...responses })
  const created: Created[] = []
  let closed = 0
  const view = await renderConsole(
    <TokenDrawer id={id} onCreated={(token) => created.push(token)} onClose={() => (closed += 1)} />,
    { language },
  )
  return { ...view, calls, created, closed: () => closed }
}

const createToken = ({ body }: RecordedCall) => aToken({ ...(typeof body === 'object' && body), id: 8 })

test('a token is created with the defaults and the chosen values', async () => {
  const { user, calls, created } = await openDrawer({ 'POST /api/token': createToken })
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'My first')
  await user.click(screen.getByRole('button', { name: '$10' }))
  await user.type(screen.getByRole('textbox', { name: 'Allowed addresses' }), '10.0.0.1')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  await waitFor(() => expect(created.length).toBe(1))
  expect(bodiesOf(calls, 'POST')).toEqual([
    {
      name: 'My first',
      expired_time: -1,
      remain_quota: 5_000_000,
      unlimited_quota: false,
      group: '',
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '10.0.0.1',
      rate_limit_enabled: false,
      rate_limit_period: 60,
      rate_limit_count: 1000,
      rate_limit_success: 10,
      response_cache: 'group',
    },
  ])
})

test('limits a hundred times above the usual are asked about before a token is created', async () => {
  const { user, calls, created } = await openDrawer({ 'POST /api/token': createToken })
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Shop')
  const quota = screen.getByRole('textbox', { name: 'Quota' })
  await user.clear(quota)
  await user.type(quota, '500000')
  await user.click(screen.getByRole('switch', { name: /Rate limit/ }))
  const maxCallsField = screen.getByRole('textbox', { name: 'Calls' })
  await user.clear(maxCallsField)
  await user.type(maxCallsField, '1000000')
  const save = () => user.click(screen.getByRole('button', { name: 'Create token' }))
  await save()
  expect(await screen.findByText(/^Quota would be \$500,000\.00, more than a hundred times/)).toBeTruthy()
  expect(screen.getByText(/^Calls would be 1,000,000/)).toBeTruthy()
  await user.click(
    within(screen.getByRole('dialog', { name: 'Save this amount?' })).getByRole('button', { name: 'Cancel' }),
  )
  await untilGone(() => screen.queryByText(/^Quota would be/))
  expect(bodiesOf(calls, 'POST')).toEqual([])
  await save()
  await user.click(await screen.findByRole('button', { name: 'Save anyway' }))
  await waitFor(() => expect(created.length).toBe(1))
  expect(bodiesOf(calls, 'POST')).toMatchObject([{ remain_quota: 250_000_000_000, rate_limit_count: 1_000_000 }])
})

test('an existing token shows its last use', async () => {
  const used = aToken({ accessed_time: 1_700_000_000, last_ip: '203.0.113.9' })
  await openDrawer({ 'GET /api/token/7': () => used }, 7)
  expect(await screen.findByText('203.0.113.9')).toBeTruthy()
})

test('a token whose calls leave no address says so', async () => {
  await openDrawer({ 'GET /api/token/7': () => aToken({ accessed_time: 1_700_000_000 }) }, 7)
  expect(await screen.findByText('Not recorded')).toBeTruthy()
})

test('a token without a name is not sent', async () => {
  const { user, calls } = await openDrawer({})
  await user.click(await screen.findByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  expect(bodiesOf(calls, 'POST')).toEqual([])
})

test('an invalid address is reported while typing', async () => {
  const { user } = await openDrawer({})
  await user.type(await screen.findByRole('textbox', { name: 'Allowed addresses' }), '10.0.0')
  expect(await screen.findByText('“10.0.0” is not an IP address or CIDR range')).toBeTruthy()
  await user.keyboard('.1')
  await untilGone(() => screen.queryByText(/is not an IP address/))
})

test('an expiry that the server refuses is reported at its field with the specification’s message, and nothing typed is lost', async () => {
  const { user, created } = await openDrawer(
    { 'POST /api/token': () => new Refusal('token.expiry', '过期时间格式错误！') },
    undefined,
    'zh',
  )
  const name = await screen.findByRole('textbox', { name: '名称' })
  await user.type(name, '商店')
  await user.click(screen.getByRole('button', { name: '1 小时' }))
  await user.click(screen.getByRole('button', { name: '创建令牌' }))
  expect(await screen.findByText('过期时间格式错误！')).toBeTruthy()
  expect(name).toHaveProperty('value', '商店')
  expect(created).toEqual([])
})

test('a batch cut short by the server reports what was created and why', async () => {
  let count = 0
  const { user, calls, created } = await openDrawer({
    'POST /api/token': (call) => {
      count += 1
      return count > 3 ? new Refusal('token.limit', 'You have all the tokens you may have') : createToken(call)
    },
  })
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'shop')
  await user.click(screen.getByRole('button', { name: 'Create several' }))
  await user.click(screen.getByRole('button', { name: '10' }))
  await user.click(screen.getByRole('button', { name: 'Create 10 tokens' }))
  await waitFor(() => expect(created.length).toBe(1))
  expect(created[0]).toMatchObject({ requested: 10, error: { message: 'You have all the tokens you may have' } })
  expect(created[0]?.tokens.map(({ name }) => name.slice(0, 4))).toEqual(['shop', 'shop', 'shop'])
  expect(bodiesOf(calls, 'POST').length).toBe(4)
})

test('a second submission during the first is ignored', async () => {
  const response = Promise.withResolvers<unknown>()
  const { user, calls, created, container } = await openDrawer(
    { 'POST /api/token': () => response.promise },
    undefined,
    'zh',
  )
  await user.type(await screen.findByRole('textbox', { name: '名称' }), 'a')
  const form = container.ownerDocument.querySelector('form')
  act(() => {
    form?.requestSubmit()
    form?.requestSubmit()
  })
  expect(await screen.findByText('提交失败，请勿重复提交！')).toBeTruthy()
  response.resolve(aToken())
  await waitFor(() => expect(created.length).toBe(1))
  expect(bodiesOf(calls, 'POST').length).toBe(1)
})

test('an edit sends only what was changed', async () => {
  const token = aToken({ used_quota: 40, model_limits_enabled: true, model_limits: 'big-1' })
  const { user, calls, closed } = await openDrawer(
    { 'GET /api/token/7': () => token, 'PUT /api/token': () => token },
    7,
  )
  const name = await screen.findByRole('textbox', { name: 'Name' })
  expect(name).toHaveProperty('value', 'Web shop')
  await user.clear(name)
  await user.type(name, 'Shop')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(closed()).toBe(1))
  expect(bodiesOf(calls, 'PUT')).toEqual([{ id: 7, name: 'Shop' }])
})

test('a deleted token says so', async () => {
  await openDrawer({ 'GET /api/token/7': () => new Refusal('token.none', 'There is no such token') }, 7)
  expect(await screen.findByText('There is no such token')).toBeTruthy()
})

test('no group can be chosen where none is offered', async () => {
  await openDrawer({ 'GET /api/user/self/groups': () => ({}) }, undefined, 'zh')
  const group = await screen.findByPlaceholderText('管理员未设置用户可选分组')
  expect(group).toHaveProperty('disabled', true)
})
