import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import { ApiError } from '@tollgate/contract'

import { aLog } from '../../../test/log-factory'
import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import { storedDismissal } from '../../domain/onboarding/use-is-guided'
import { CreatedDialog } from './created-dialog'
import type { Created } from './use-save-token'

const token = aToken()
const key = `sk-${token.key}`

const streamOf = (...events: readonly unknown[]) =>
  new Response([...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join(''), {
    headers: { 'content-type': 'text/event-stream', 'X-Request-Id': 'req-1' },
  })
const piece = (content: string) => ({ choices: [{ delta: { content } }] })

async function openDialog(responses: Parameters<typeof serve>[0] = {}, created: Partial<Created> = {}) {
  storedDismissal.set(true)
  const calls = serve({ 'GET /api/user/models': () => ['big-1', 'small-1'], ...responses })
  const view = await renderConsole(
    <CreatedDialog created={{ tokens: [token], requested: 1, ...created }} occasion="created" onClose={() => {}} />,
    { site: { server_address: 'https://gate.example.com/' } },
  )
  await screen.findByRole('dialog')
  return { ...view, calls }
}

const pageText = () => document.body.textContent ?? ''

test('a first token is tried next, by a reader whom the checklist still leads', async () => {
  serve({ 'GET /api/user/models': () => ['big-1'] })
  storedDismissal.set(false)
  await renderConsole(
    <CreatedDialog created={{ tokens: [token], requested: 1 }} occasion="created" onClose={() => {}} />,
  )
  expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'Try it' }).getAttribute('aria-selected')).toBe('true')
})

test('the key is masked until revealed, also in the code', async () => {
  const { user } = await openDialog()
  await waitFor(() => expect(pageText()).toContain('https://gate.example.com/v1/chat/completions'))
  expect(pageText()).toContain('big-1')
  expect(pageText()).not.toContain(key)
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(pageText()).toContain(`Authorization: Bearer ${key}`)
})

test('a key that the site hides is read after a proof of identity, and only then used', async () => {
  const { user, calls } = await openDialog(
    { 'POST /api/token/7/key': () => ({ key: token.key }) },
    { tokens: [aToken({ key: '*'.repeat(44) + token.key.slice(-4) })] },
  )
  expect(screen.queryByRole('tab', { name: 'Try it' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Show the key' }))
  await user.click(await screen.findByRole('button', { name: 'Show' }))
  expect(pageText()).toContain(`Authorization: Bearer ${key}`)
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/api/token/7/key'])
})

test('copying copies the key itself', async () => {
  const { user } = await openDialog()
  await user.click(await screen.findByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toContain(`Bearer ${key}`)
  await user.click(screen.getByRole('button', { name: 'Copy key' }))
  expect(await navigator.clipboard.readText()).toBe(key)
})

test('a link leads to the lines for clients, and names the token in place of its key', async () => {
  await openDialog()
  const link = screen.getByRole('link', { name: 'Connect Claude Code, Codex, Cline and other clients' })
  expect(link.getAttribute('href')).toBe('/app/connect?token=7')
})

test('a first call is made with the key and its response and cost shown', async () => {
  const { user, calls } = await openDialog({
    'POST /v1/chat/completions': () => streamOf(piece('Hel'), piece('lo')),
    'GET /api/log/self': () => ({ items: [aLog({ id: 9, quota: 17 })], page: 1, page_size: 10, total: 1 }),
  })
  await user.click(screen.getByRole('tab', { name: 'Try it' }))
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Hello')).toBeTruthy()
  expect(calls.find(({ path }) => path === '/v1/chat/completions')?.body).toMatchObject({
    model: 'big-1',
    stream: true,
  })
  expect(await screen.findByText(/for \$0\.000034/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See it in the usage log' }).getAttribute('href')).toBe(
    '/app/logs/api-usage?open=9',
  )
})

test('a refused call says why', async () => {
  const refusal = { error: { message: 'No channel serves big-1', code: 'no_available_channel' } }
  const { user } = await openDialog({
    'POST /v1/chat/completions': () => Response.json(refusal, { status: 503, headers: { 'X-Request-Id': 'req-9' } }),
  })
  await user.click(screen.getByRole('tab', { name: 'Try it' }))
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(await screen.findByText('No channel serves big-1')).toBeTruthy()
  expect(screen.getByText('503 · no_available_channel')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy the request ID' }).textContent).toBe('Request ID req-9')
})

test('a stream that breaks off keeps what arrived and says why', async () => {
  const { user } = await openDialog({
    'POST /v1/chat/completions': () => streamOf(piece('Half'), { error: { message: 'The upstream went away' } }),
  })
  await user.click(screen.getByRole('tab', { name: 'Try it' }))
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(await screen.findByText('The upstream went away')).toBeTruthy()
  expect(screen.getByText('Half')).toBeTruthy()
})

test('a token limited to models offers only those', async () => {
  await openDialog({}, { tokens: [aToken({ model_limits_enabled: true, model_limits: 'small-1' })] })
  await waitFor(() => expect(pageText()).toContain('"model": "small-1"'))
})

test('a batch is listed, copied and saved as a file; missing tokens are reported', async () => {
  const tokens = [token, aToken({ id: 8, name: 'Web shop-abc123', key: `Z${token.key.slice(1)}` })]
  const error = new ApiError('You have all the tokens you may have', 200, 'token.limit', undefined)
  const { user } = await openDialog({}, { tokens, requested: 10, error })
  expect(screen.getByText('Only 2 of 10 were created')).toBeTruthy()
  expect(screen.getByText('You have all the tokens you may have')).toBeTruthy()
  expect(pageText()).not.toContain(key)
  await user.click(screen.getByRole('button', { name: 'Copy all keys' }))
  expect(await navigator.clipboard.readText()).toBe(`${key}\nsk-${tokens[1]?.key}`)
  const link = screen.getByRole('link', { name: 'Download as text' })
  expect(link.getAttribute('download')).toBe('Web shop.txt')
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toEndWith(`${key}\nsk-${tokens[1]?.key}\n`)
})
