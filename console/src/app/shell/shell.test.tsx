import { afterEach, expect, test } from 'bun:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'

import { ApiError } from '@tollgate/contract'

import { aSite } from '../../../test/factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'
import { storedUser } from '../../lib/api/session'
import { notifyError } from '../../lib/browser/notify'
import { retrySignOut } from '../../lib/api/sign-out'
import { statusQuery } from '../../lib/api/status'
import { badgeDelay } from '../pages'
import { PhoneMenu } from './phone-menu'
import { Shell } from './shell'
import { StatusError } from './status-error'

const pageOf = (items: readonly object[]) => ({ items, page: 1, page_size: 5, total: items.length })
const noneFound = { 'GET /api/token/search': () => pageOf([]), 'GET /api/channel/search': () => pageOf([]) }

const open = async (responses: Parameters<typeof serve>[0] = {}, options: Parameters<typeof renderConsole>[1] = {}) => {
  const calls = serve({ ...noneFound, ...responses })
  return { ...(await renderConsole(<Shell />, { address: '/app/tokens', ...options })), calls }
}
badgeDelay.ms = 0

// The viewport of the simulated window.
const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
afterEach(() => happyDOM.setViewport({ width: 1440 }))
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more })

test('signing out ends the session in the browser and on the server', async () => {
  const { user, router } = await open({ 'POST /api/user/logout': () => undefined })
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(await screen.findByText('Logout successful!')).toBeTruthy()
  expect(storedUser.get()).toBeNull()
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
})

test('chat pages that cannot be read are reported, and the page renders without them', async () => {
  const { queryClient } = await open()
  act(() => void queryClient.setQueryData<object>(statusQuery.queryKey, { ...aSite(), chats: [{ Chat: 7 }] }))
  expect(await screen.findByText('Failed to parse chat data')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API tokens' })).toBeTruthy()
})

test.each([
  ['is not reached', 'en', new ApiError('Network error', 0, undefined, undefined), 'Unable to connect to server'],
  ['refuses', 'en', new ApiError('Internal error', 500, 'server.error', undefined), 'Failed to load status'],
  ['is not reached', 'zh', new ApiError('网络错误', 0, undefined, undefined), '无法连接到服务器'],
] as const)('a status that the server %s shows an error (%s)', async (_how, language, error, title) => {
  await renderConsole(<StatusError error={error} reset={() => {}} />, { language })
  expect(screen.getByText(title)).toBeTruthy()
  expect(screen.getByText(error.message)).toBeTruthy()
})

test.each([
  ['zh', '错误：令牌不存在'],
  ['en', 'Error: 令牌不存在'],
] as const)('an error toast begins with the word for an error (%s)', async (language, text) => {
  await renderConsole(null, { language })
  act(() => notifyError(new ApiError('令牌不存在', 200, 'token.none', undefined)))
  await waitFor(() => expect(document.body.textContent).toContain(text))
})

test('signing out works without the server, which is notified later', async () => {
  let isAway = true
  const { user, router, calls } = await open({
    'POST /api/user/logout': () => (isAway ? new Refusal('db.error', 'The database is away') : undefined),
  })
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(await screen.findByText(/You are logged out in this browser/)).toBeTruthy()
  expect(storedUser.get()).toBeNull()
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  isAway = false
  const logouts = () => calls.filter(({ path }) => path === '/api/user/logout').length
  const stop = retrySignOut()
  await waitFor(() => expect(localStorage.getItem('sign-out-pending')).toBe('false'))
  expect(logouts()).toBe(2)
  window.dispatchEvent(new Event('online'))
  expect(logouts()).toBe(2)
  stop()
})

test('a sign-out pending for the server does not end the session of the next user', async () => {
  const { calls } = await open()
  localStorage.setItem('sign-out-pending', 'true')
  retrySignOut()()
  expect(calls.filter(({ path }) => path === '/api/user/logout')).toHaveLength(0)
  expect(localStorage.getItem('sign-out-pending')).toBe('false')
})

test('the user name is shown beside its first letter', async () => {
  await open()
  const account = screen.getByRole('button', { name: 'Account of ada' })
  expect(account.textContent).toBe('ada')
  expect(account.querySelector('[data-letter]')?.getAttribute('data-letter')).toBe('A')
})

test('chat pages are collapsed until the group is opened, which widens the menu', async () => {
  const chats = [{ Elsewhere: 'https://chat.example' }]
  const { user } = await open({}, { site: { ...aSite(), chats } })
  // Stored for the next first paint, and for scripts that read it.
  expect(JSON.parse(localStorage.getItem('chats') ?? '')).toEqual(chats)
  const menu = screen.getByRole('navigation', { name: 'Main menu' })
  expect(screen.queryByRole('link', { name: 'Elsewhere' })).toBeNull()
  expect(menu.hasAttribute('data-is-chat-open')).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Chat', expanded: false }))
  expect(screen.getByRole('link', { name: 'Elsewhere' })).toBeTruthy()
  expect(menu.hasAttribute('data-is-chat-open')).toBe(true)
})

test('a section collapses at its name and stays so, except for the current page', async () => {
  const { user, unmount } = await open({}, { address: '/app/dashboard' })
  await user.click(screen.getByRole('button', { name: 'Console', expanded: true }))
  expect(screen.queryByRole('link', { name: 'Usage log' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Dashboard' })).toBeTruthy()
  unmount()
  await open()
  expect(screen.queryByRole('link', { name: 'Usage log' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Console', expanded: false }))
  expect(screen.getByRole('link', { name: 'Usage log' })).toBeTruthy()
})

test('administrators see how many channels were disabled automatically', async () => {
  const searchChannels = ({ query }: { readonly query: Readonly<Record<string, string>> }) => ({
    ...pageOf([]),
    total: query['status'] === '3' ? 2 : 40,
  })
  await open({ 'GET /api/channel/search': searchChannels }, { user: { role: 10 } })
  expect(await screen.findByRole('link', { name: 'Channels 2 disabled automatically' })).toBeTruthy()
})

test('a collapsed section shows the count of its hidden pages', async () => {
  const searchChannels = () => ({ ...pageOf([]), total: 2 })
  const { user } = await open({ 'GET /api/channel/search': searchChannels }, { user: { role: 10 } })
  await screen.findByRole('link', { name: 'Channels 2 disabled automatically' })
  await user.click(screen.getByRole('button', { name: 'Admin', expanded: true }))
  expect(screen.queryByRole('link', { name: /Channels/ })).toBeNull()
  const folded = await screen.findByRole('button', { name: 'Admin 2 disabled automatically', expanded: false })
  await user.click(folded)
  expect(await screen.findByRole('link', { name: 'Channels 2 disabled automatically' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Admin', expanded: true })).toBeTruthy()
})

test('the link to the console is highlighted on each of its pages and on no other', async () => {
  const { router } = await open({}, { address: '/app/tokens' })
  const isLit = () => screen.getByRole('link', { name: 'Console' }).hasAttribute('data-is-lit')
  expect(isLit()).toBe(true)
  await router.navigate({ to: '/pricing' })
  await waitFor(() => expect(isLit()).toBe(false))
  await router.navigate({ to: '/admin/channels' })
  await waitFor(() => expect(isLit()).toBe(true))
})

test('the footer text stays the same while a gateway runs', async () => {
  const site = { ...aSite(), start_time: 1_700_000_002 }
  const { unmount } = await open({}, { site })
  const words = () => screen.getByText(/Tollgate 0\.0\.0/).textContent
  const first = words()
  unmount()
  await open({}, { site })
  expect(words()).toBe(first)
})

test('g and a letter open a page; a question mark lists the shortcuts', async () => {
  const { router } = await open()
  press('?')
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  press('g')
  press('l')
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/logs/api-usage'))
})

test('shortcuts are ignored while typing', async () => {
  const { container } = await open()
  const field = container.ownerDocument.createElement('input')
  container.append(field)
  fireEvent.keyDown(field, { key: '?' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the menu remembers its width, and its links keep their names', async () => {
  const { user, unmount } = await open()
  await user.click(screen.getByRole('button', { name: 'Collapse the menu' }))
  expect(screen.getByRole('link', { name: 'Usage log' })).toBeTruthy()
  unmount()
  await open()
  expect(screen.getByRole('button', { name: 'Expand the menu' })).toBeTruthy()
})

test('a tablet starts with icons and remembers its own choice', async () => {
  happyDOM.setViewport({ width: 1000 })
  const { user, unmount } = await open()
  await user.click(screen.getByRole('button', { name: 'Expand the menu' }))
  expect(screen.getByRole('button', { name: 'Console', expanded: true })).toBeTruthy()
  unmount()
  happyDOM.setViewport({ width: 1440 })
  const wide = await open()
  await wide.user.click(screen.getByRole('button', { name: 'Collapse the menu' }))
  wide.unmount()
  happyDOM.setViewport({ width: 1000 })
  await open()
  expect(screen.getByRole('button', { name: 'Collapse the menu' })).toBeTruthy()
})

test.each(['/login', '/setup'])('sign-in pages do not redirect to the sign-in: %s', async (address) => {
  await open({}, { address })
  storedUser.clear()
  await untilGone(() => screen.queryByRole('button', { name: 'Account of ada' }))
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
})

test('before the setup there are no menus', async () => {
  await open({}, { address: '/setup', site: { ...aSite(), setup: false } })
  expect(screen.queryByRole('navigation')).toBeNull()
})

test.each(['/pricing', '/no/such/page'])(
  'guests see the top bar and an offer to sign in, and no menu: %s',
  async (address) => {
    await open({}, { address, user: null })
    expect(await screen.findByRole('link', { name: 'Sign in' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Console' })).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Main menu' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Search or go to' })).toBeNull()
  },
)

test.each(['/login', '/register', '/reset', '/user/reset', '/oauth/github', '/setup', '/'])(
  'a page with one purpose has no side menu for signed-in users either: %s',
  async (address) => {
    await open({}, { address })
    expect(screen.queryByRole('navigation', { name: 'Main menu' })).toBeNull()
  },
)

test('registration is offered where it is open, but not on a site for its owner alone', async () => {
  const register = () => screen.queryByRole('link', { name: 'Sign up' })
  const hasRegisterLink = async (site: Partial<ReturnType<typeof aSite>>) => {
    const { unmount } = await open({}, { site })
    act(() => storedUser.clear())
    await screen.findByRole('link', { name: 'Sign in' })
    const isThere = register() !== null
    unmount()
    return isThere
  }
  expect(await hasRegisterLink({ register_enabled: true })).toBe(true)
  expect(await hasRegisterLink({ register_enabled: false })).toBe(false)
  expect(await hasRegisterLink({ register_enabled: true, self_use_mode_enabled: true })).toBe(false)
})

test('the account menu links to the shop where the site has one', async () => {
  const { user, unmount } = await open()
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await screen.findByRole('menuitem', { name: 'Log out' })
  expect(screen.queryByRole('menuitem', { name: 'Top up' })).toBeNull()
  unmount()
  const { user: buyer } = await open({}, { site: { top_up_link: 'https://shop.example/' } })
  await buyer.click(screen.getByRole('button', { name: 'Account of ada' }))
  await screen.findByRole('menuitem', { name: 'Top up' })
})

test('the docs link is in the phone menu where the site has one', async () => {
  const { unmount } = await renderConsole(<PhoneMenu onClose={() => {}} />)
  expect(screen.queryByRole('link', { name: 'Docs' })).toBeNull()
  unmount()
  const site = { ...aSite(), docs_link: 'https://docs.example/' }
  await renderConsole(<PhoneMenu onClose={() => {}} />, { site })
  expect((await screen.findByRole('link', { name: 'Docs' })).getAttribute('href')).toBe('https://docs.example/')
})

test('guests find the pages of the site in the phone menu, and none that requires an account', async () => {
  await renderConsole(<PhoneMenu onClose={() => {}} />)
  expect(await screen.findByRole('link', { name: 'Usage log' })).toBeTruthy()
  act(() => storedUser.clear())
  expect(screen.getByRole('link', { name: 'Pricing' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Usage log' })).toBeNull()
})

test('both menus open from one button on phones; channels are for administrators', async () => {
  const { unmount } = await renderConsole(<PhoneMenu onClose={() => {}} />)
  expect(await screen.findByRole('link', { name: 'Pricing' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Channels' })).toBeNull()
  unmount()
  await renderConsole(<PhoneMenu onClose={() => {}} />, { user: { role: 10 } })
  expect(await screen.findByRole('link', { name: 'Channels' })).toBeTruthy()
})

test('the language changes at once and is remembered', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Language' }))
  await user.click(await screen.findByRole('menuitem', { name: '中文' }))
  expect(await screen.findByRole('link', { name: '使用日志' })).toBeTruthy()
})
