import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import { ConnectPage } from './connect-page'
import { ConnectSearch } from './connect-search'

const token = aToken({ name: 'Codex' })
const key = `sk-${token.key}`

const models = (...ids: readonly string[]) =>
  Response.json({ data: ids.map((id) => ({ id, supported_parameters: id.startsWith('draw') ? [] : ['max_tokens'] })) })

async function openPage(address = '/app/connect?client=codex', responses: Parameters<typeof serve>[0] = {}) {
  const calls = serve({
    'GET /api/user/models': () => ['big-1', 'small-1'],
    'GET /v1/models': () => models('draw-1', 'key-1'),
    ...responses,
  })
  const view = await renderConsole(<ConnectPage />, {
    address,
    path: '/app/connect',
    validateSearch: (search) => ConnectSearch.parse(search),
    site: { server_address: 'https://gate.example.com/' },
  })
  await screen.findByRole('heading', { name: 'Connect' })
  return { ...view, calls }
}

const pageText = () => document.body.textContent ?? ''

test('the lines can be read before there is a key, with the reader’s models', async () => {
  await openPage()
  await waitFor(() => expect(pageText()).toContain('model = "big-1"'))
  expect(pageText()).toContain('base_url = "https://gate.example.com/v1"')
  expect(screen.getByText('Add a key above first.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
})

test('a key is created for the tool, filled in masked, copied whole, and brings its own models', async () => {
  const { user, calls } = await openPage(undefined, { 'POST /api/token': () => token })
  await user.click(await screen.findByRole('button', { name: 'Create a key for Codex' }))
  await screen.findByText('Token “Codex” created. It may spend your whole balance.')
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Codex', unlimited_quota: true })
  expect(screen.getByRole('link', { name: 'Set limits' }).getAttribute('href')).toBe('/app/tokens?limits=7')
  await waitFor(() => expect(pageText()).toContain('model = "key-1"'))
  expect(pageText()).not.toContain(key)
  const [, terminal] = screen.getAllByRole('button', { name: 'Copy' })
  if (terminal) await user.click(terminal)
  expect(await navigator.clipboard.readText()).toBe(`export GATEWAY_KEY=${key}\ncodex`)
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(pageText()).toContain(`export GATEWAY_KEY=${key}`)
})

test('a pasted key that the gateway refuses is reported in its words', async () => {
  const { user } = await openPage(undefined, {
    'GET /v1/models': () => Response.json({ error: { message: 'The key is unknown' } }, { status: 401 }),
  })
  await user.type(await screen.findByLabelText('Paste a key'), 'abc')
  await user.click(screen.getByRole('button', { name: 'Use' }))
  expect(await screen.findByText('The key is unknown')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use another key' }))
  expect(await screen.findByLabelText('Paste a key')).toBeTruthy()
})

test('the key of a named token is filled in, and can be replaced', async () => {
  const { user } = await openPage('/app/connect?client=cline&token=7', { 'GET /api/token/7': () => token })
  await screen.findByRole('button', { name: 'Use another key' })
  await user.click(await screen.findByRole('button', { name: 'Copy API Key' }))
  expect(await navigator.clipboard.readText()).toBe(key)
  await user.click(screen.getByRole('button', { name: 'Use another key' }))
  expect(await screen.findByText('sk-…')).toBeTruthy()
})

test('the test makes the call that the chosen tool makes', async () => {
  const { user, calls } = await openPage('/app/connect?client=claude-code&token=7', {
    'GET /api/token/7': () => token,
    'POST /v1/messages': () =>
      new Response('data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi there"}}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      }),
  })
  expect(await screen.findByText(/^Makes one real call to \/v1\/messages/)).toBeTruthy()
  const send = await screen.findByRole('button', { name: 'Send' })
  await waitFor(() => expect(send.hasAttribute('disabled')).toBe(false))
  await user.click(send)
  expect(await screen.findByText('Hi there')).toBeTruthy()
  expect(calls.filter(({ path }) => path.startsWith('/v1/m')).map(({ path }) => path)).toContain('/v1/messages')
})

test('other programs find the address in each form, and the key', async () => {
  const { user } = await openPage('/app/connect?client=other&token=7', { 'GET /api/token/7': () => token })
  expect(await screen.findByText('https://gate.example.com/v1')).toBeTruthy()
  expect(screen.getByText('https://gate.example.com/v1/chat/completions')).toBeTruthy()
  await screen.findByRole('button', { name: 'Use another key' })
  await user.click(screen.getByRole('button', { name: 'Copy API Key' }))
  expect(await navigator.clipboard.readText()).toBe(key)
})

test('nothing of a key is kept in the browser', async () => {
  const { user } = await openPage(undefined, { 'POST /api/token': () => token })
  await user.click(await screen.findByRole('button', { name: 'Create a key for Codex' }))
  await screen.findByText(/^Token “Codex” created/)
  const stored = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage))).join('')
  expect(stored).not.toContain(token.key)
})

test('a refused creation leaves the choice as it was', async () => {
  const { user } = await openPage(undefined, {
    'POST /api/token': () => new Refusal('token.limit', 'You have all the tokens you may have'),
  })
  await user.click(await screen.findByRole('button', { name: 'Create a key for Codex' }))
  expect(await screen.findByText('You have all the tokens you may have')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Create a key for Codex' })).toBeTruthy()
})

test('an unknown tool in the address shows the first', async () => {
  await openPage('/app/connect?client=nothing')
  expect(await screen.findByRole('heading', { name: 'Claude Code' })).toBeTruthy()
})
