import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aUser } from '../../../../test/factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { untilGone } from '../../../../test/until-gone'
import { storedUser } from '../../../lib/api/session'
import { SetupForm } from './setup-form'
import { SetupPage } from './setup-page'

const needs = { status: false, root_init: false, database_type: 'sqlite', code_required: false } as const

async function fill(user: Awaited<ReturnType<typeof renderConsole>>['user'], again = 'correct-horse') {
  await user.type(screen.getByLabelText('Administrator username'), ' ada ')
  await user.type(screen.getByLabelText('Password'), 'correct-horse')
  await user.type(screen.getByLabelText('Repeat the password'), again)
}

test('missing values are reported at their fields, and nothing is sent', async () => {
  const calls = serve({})
  const { user } = await renderConsole(<SetupForm needs={needs} />, { language: 'zh' })
  await user.click(screen.getByRole('button', { name: '初始化' }))
  expect(screen.getByText('请输入管理员用户名')).toBeTruthy()
  expect(screen.getByText('密码长度至少为8个字符')).toBeTruthy()
  expect(screen.getByText('请再次输入密码')).toBeTruthy()
  await user.type(screen.getByLabelText('密码'), 'long-enough')
  await user.type(screen.getByLabelText('确认密码'), 'long-enoug')
  await user.click(screen.getByRole('button', { name: '初始化' }))
  expect(screen.getByText('两次输入的密码不一致')).toBeTruthy()
  expect(calls).toEqual([])
})

test('the account and the mode are sent', async () => {
  const calls = serve({ 'POST /api/setup': () => undefined })
  const { user } = await renderConsole(<SetupForm needs={needs} />)
  await fill(user)
  await user.click(screen.getByRole('radio', { name: 'For myself' }))
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await screen.findByText('The gateway is set up. Signing you in…')
  expect(calls[0]?.body).toEqual({
    username: 'ada',
    password: 'correct-horse',
    confirmPassword: 'correct-horse',
    SelfUseModeEnabled: true,
    DemoSiteEnabled: false,
  })
})

test('leaving during the success message is signed in all the same', async () => {
  serve({ 'POST /api/setup': () => undefined, 'POST /api/user/login': () => ({ ...aUser(), username: 'ada' }) })
  const { user, unmount } = await renderConsole(<SetupForm needs={needs} />)
  storedUser.clear()
  await fill(user)
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await screen.findByText('The gateway is set up. Signing you in…')
  unmount()
  await waitFor(() => expect(storedUser.get()?.username).toBe('ada'))
})

test('a wrong setup code is reported at its field, and everything typed stays', async () => {
  serve({ 'POST /api/setup': () => new Refusal('setup.code', 'The setup code is wrong', 403) })
  const { user } = await renderConsole(<SetupForm needs={{ ...needs, code_required: true }} />)
  await fill(user)
  await user.type(screen.getByLabelText('Setup code'), '0000')
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  expect(await screen.findByText('The setup code is wrong')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Setup code').value).toBe('0000')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('correct-horse')
})

test('the code of the link that the start printed is filled in and sent', async () => {
  const calls = serve({ 'POST /api/setup': () => undefined })
  window.location.hash = '#code=a-b_c'
  const { user } = await renderConsole(<SetupForm needs={{ ...needs, code_required: true }} />)
  window.location.hash = ''
  await fill(user)
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await screen.findByText('The gateway is set up. Signing you in…')
  expect(calls[0]?.body).toMatchObject({ setupCode: 'a-b_c' })
})

test('a failed setup says so, and why', async () => {
  serve({ 'POST /api/setup': () => new Refusal('db.error', '数据库错误') })
  const { user } = await renderConsole(<SetupForm needs={{ ...needs, root_init: true }} />, { language: 'zh' })
  await user.click(screen.getByRole('button', { name: '初始化' }))
  expect(await screen.findByText('初始化失败，请重试')).toBeTruthy()
  expect(screen.getByText('数据库错误')).toBeTruthy()
})

test.each([
  ['fails', () => new Refusal('server.error', '服务器内部错误', 500)],
  ['is not reached', () => Promise.reject(new TypeError('Failed to fetch'))],
])('a server that %s is not a refusal, and the form can be sent again', async (_how, respond) => {
  let isAway = true
  serve({ 'POST /api/setup': () => (isAway ? respond() : undefined) })
  const { user } = await renderConsole(<SetupForm needs={{ ...needs, root_init: true }} />, { language: 'zh' })
  await user.click(screen.getByRole('button', { name: '初始化' }))
  expect(await screen.findByText('系统初始化失败，请重试')).toBeTruthy()
  isAway = false
  await user.click(screen.getByRole('button', { name: '初始化' }))
  await untilGone(() => screen.queryByText('系统初始化失败，请重试'))
})

test('a setup state that cannot be read says so, and can be retried', async () => {
  let isAway = true
  serve({ 'GET /api/setup': () => (isAway ? new Refusal('server.error', '服务器内部错误', 500) : needs) })
  const { user } = await renderConsole(<SetupPage />, { language: 'zh', address: '/setup', site: { setup: false } })
  expect(await screen.findByText('获取初始化状态失败')).toBeTruthy()
  isAway = false
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByLabelText('管理员用户名')).toBeTruthy()
  expect(screen.queryByText('获取初始化状态失败')).toBeNull()
})

test('a form that the server cannot parse asks for a reload', async () => {
  serve({ 'POST /api/setup': () => new Refusal('input.invalid', '参数错误', 400) })
  const { user } = await renderConsole(<SetupForm needs={{ ...needs, root_init: true }} />, { language: 'zh' })
  await user.click(screen.getByRole('button', { name: '初始化' }))
  expect(await screen.findByText('表单引用错误，请刷新页面重试')).toBeTruthy()
})

test('an existing administrator is not asked for again', async () => {
  const calls = serve({ 'POST /api/setup': () => undefined })
  const { user } = await renderConsole(<SetupForm needs={{ ...needs, root_init: true }} />)
  expect(screen.queryByLabelText('Password')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await screen.findByRole('status')
  expect(calls).toHaveLength(1)
})
