import { afterEach, describe, expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aLog } from '../../../test/log-factory'
import { untilGone } from '../../../test/until-gone'
import { storedUser } from '../../lib/api/session'
import { chatResponse, aStream, openPlayground, usage } from './test/open-playground'

afterEach(() => sessionStorage.clear())

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const click = async ({ user }: { user: { click: (element: Element) => Promise<void> } }, name: string | RegExp) =>
  user.click(await button(name))
const textOf = (element: HTMLElement) => (element as HTMLTextAreaElement).value

describe('a conversation', () => {
  test('a question is sent as specified, and its response and usage are shown', async () => {
    const page = await openPlayground({ answers: [() => chatResponse('Up **high**.', [usage])] })
    await page.sendMessage('Where do kites fly?')
    expect((await screen.findByText('high')).tagName).toBe('STRONG')
    expect(page.getRequestBodies()).toEqual([
      {
        model: 'kite-1',
        group: 'default',
        messages: [
          { role: 'system', content: 'You are a helpful assistant.' },
          { role: 'user', content: 'Where do kites fly?' },
        ],
        stream: true,
        stream_options: { include_usage: true },
      },
    ])
    expect(await screen.findByText('1,000 → 500 tokens')).toBeTruthy()
    // 1 x 2.5 x (1000 + 500 x 4) / 500,000
    expect(screen.getByText('about $0.015')).toBeTruthy()
    const link = screen.getByRole('link', { name: 'request req-stream' })
    expect(link.getAttribute('href')).toBe('/app/logs/api-usage?request=req-stream')
  })

  test('the price of the chosen model stands below it until it has chatResponse', async () => {
    const page = await openPlayground()
    expect(await screen.findByText('Input $5.00/M · Output $20.00/M')).toBeTruthy()
    await page.sendMessage('Hi')
    await waitFor(() => expect(screen.queryByText(/^Input/)).toBeNull())
  })

  test('the charge is shown once the log has it, with a link to the row', async () => {
    const logged = [aLog({ id: 77, type: 6, quota: 0 }), aLog({ id: 78, quota: 8_000 })]
    const page = await openPlayground({ answers: [() => chatResponse('Well.', [usage])], logged })
    await page.sendMessage('Hi')
    expect(await screen.findByText('$0.016')).toBeTruthy()
    expect(screen.queryByText(/^about/)).toBeNull()
    expect(page.calls.find(({ path }) => path === '/api/log/self')?.query['request_id']).toBe('req-stream')
    const link = screen.getByRole('link', { name: 'request req-stream' })
    expect(link.getAttribute('href')).toBe('/app/logs/api-usage?request=req-stream&open=78')
  })

  test('an example is filled in and sent only by the reader, until the conversation has begun', async () => {
    const page = await openPlayground()
    await click(page, 'Explain recursion to a child')
    expect(textOf(await page.box())).toBe('Explain recursion to a child')
    expect(document.activeElement).toBe(await page.box())
    expect(page.getRequestBodies()).toEqual([])
    await page.user.keyboard('{Enter}')
    await screen.findByText('Well.')
    expect(page.getRequestBodies()).toHaveLength(1)
    expect(screen.queryByRole('group', { name: 'Examples' })).toBeNull()
  })

  test('Shift+Enter starts a new line, Enter sends', async () => {
    const page = await openPlayground()
    await page.user.type(await page.box(), 'one{Shift>}{Enter}{/Shift}two{Enter}')
    await waitFor(() => expect(page.getRequestBodies()).toHaveLength(1))
    expect(page.getRequestBodies()[0]).toMatchObject({ messages: [{}, { content: 'one\ntwo' }] })
    expect(textOf(await page.box())).toBe('')
  })

  test('a stopped response keeps what arrived, and what was typed meanwhile', async () => {
    const stream = aStream()
    const page = await openPlayground({ answers: [() => stream.response] })
    await page.sendMessage('Hi')
    stream.say('Half an ans')
    await screen.findByText('Half an ans')
    await page.user.type(await page.box(), 'typed{Enter}')
    await click(page, 'Stop')
    expect(await screen.findByText('Stopped')).toBeTruthy()
    expect(screen.getByText('Half an ans')).toBeTruthy()
    expect(textOf(await page.box())).toBe('typed')
    expect(page.getRequestBodies()).toHaveLength(1)
    await waitFor(() => expect(stream.isCancelled()).toBe(true))
  })

  test('a refused call shows the reason, code and request id, and can be retried unchanged', async () => {
    const refusal = () =>
      Response.json(
        { error: { message: 'No channel serves kite-1', code: 'model_not_found' } },
        { status: 503, headers: { 'X-Request-Id': 'req-9' } },
      )
    const page = await openPlayground({ answers: [refusal, () => chatResponse('Now it does.')] })
    await page.sendMessage('Hi')
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('No channel serves kite-1')).toBeTruthy()
    expect(within(alert).getByText('503 · model_not_found')).toBeTruthy()
    expect(screen.getByText('request req-9')).toBeTruthy()
    expect(within(screen.getByRole('log')).getByText('Hi')).toBeTruthy()
    await page.user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Now it does.')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(page.getRequestBodies()[1]).toEqual(page.getRequestBodies()[0])
  })

  test('a response that breaks off keeps its beginning beside the error', async () => {
    const stream = aStream()
    const page = await openPlayground({ answers: [() => stream.response] })
    await page.sendMessage('Hi')
    stream.say('Half')
    stream.frame({ error: { message: 'The upstream went away', code: 'upstream.failed' } })
    expect(await screen.findByText('The upstream went away')).toBeTruthy()
    expect(await screen.findByText('Half')).toBeTruthy()
  })

  test('an expired session leads to the sign-in and keeps the question', async () => {
    const refusal = () => Response.json({ error: { message: 'x', code: 'auth.required' } }, { status: 401 })
    const page = await openPlayground({ answers: [refusal] })
    await page.sendMessage('Do not lose me')
    const sentence = 'You are not logged in or your login has expired. Please log in again.'
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(storedUser.get()).toBeNull()
    expect(within(screen.getByRole('log')).getByText('Do not lose me')).toBeTruthy()
  })

  test('an edited question starts a new branch, and the old one can be shown again', async () => {
    const page = await openPlayground({ answers: [() => chatResponse('First'), () => chatResponse('Second')] })
    await page.sendMessage('One')
    await screen.findByText('First')
    await click(page, 'Edit and resend')
    const field = await screen.findByRole('textbox', { name: 'Edit and resend' })
    await page.user.clear(field)
    await page.user.type(field, 'Other{Enter}')
    expect(await screen.findByText('Second')).toBeTruthy()
    expect(screen.queryByText('First')).toBeNull()
    expect(page.getRequestBodies()[1]).toMatchObject({ messages: [{}, { role: 'user', content: 'Other' }] })
    await click(page, 'Previous version')
    expect(await screen.findByText('First')).toBeTruthy()
  })

  test('a response can be regenerated, copied and deleted', async () => {
    const page = await openPlayground({ answers: [() => chatResponse('First'), () => chatResponse('Second')] })
    await page.sendMessage('One')
    await screen.findByText('First')
    await click(page, 'Answer again')
    await screen.findByText('Second')
    await click(page, 'Copy answer')
    expect(await navigator.clipboard.readText()).toBe('Second')
    await click(page, 'Delete answer')
    await untilGone(() => screen.queryByText('Second'))
    await click(page, 'Clear conversation')
    const dialog = await screen.findByRole('dialog')
    await page.user.click(within(dialog).getByRole('button', { name: 'Clear conversation' }))
    expect(await screen.findByText('Start a conversation')).toBeTruthy()
  })

  test('reasoning is collapsed with its duration', async () => {
    const page = await openPlayground({ answers: [() => chatResponse('<think>Let me see</think>Yes')] })
    await page.sendMessage('Well?')
    expect(await screen.findByText('Yes')).toBeTruthy()
    expect(screen.queryByText('Let me see')).toBeNull()
    await click(page, 'Reasoning')
    expect(await screen.findByText('Let me see')).toBeTruthy()
  })

  test('the inspector shows the raw data, and the call as code', async () => {
    const page = await openPlayground({ answers: [() => chatResponse('Well.')] })
    await page.sendMessage('Hi')
    await screen.findByText('Well.')
    await click(page, 'Raw request and response')
    const drawer = await screen.findByRole('dialog')
    await waitFor(() => expect(drawer.textContent).toContain('"stream": true'))
    await page.user.click(within(drawer).getByRole('tab', { name: 'Response' }))
    expect(drawer.textContent).toContain('data: {"choices":[{"delta":{"content":"Well."}}]}')
    expect(drawer.textContent).toContain('data: [DONE]')
    await page.user.click(within(drawer).getByRole('tab', { name: 'Export as code' }))
    await waitFor(() => expect(drawer.textContent).toContain('Authorization: Bearer sk-...'))
    expect(drawer.textContent).toContain('/v1/chat/completions')
    expect(drawer.textContent).not.toContain('"group"')
    await page.user.click(within(drawer).getByText('Anthropic'))
    await waitFor(() => expect(drawer.textContent).toContain('/v1/messages'))
    expect(drawer.textContent).toContain('"system": "You are a helpful assistant."')
  })
})

describe('models', () => {
  test('models respond side by side; each can be stopped and removed', async () => {
    const streams = [aStream(), aStream()]
    const page = await openPlayground({
      answers: streams.map(
        ({ response }) =>
          () =>
            response,
      ),
    })
    await page.box()
    await click(page, 'Compare with another model')
    await page.sendMessage('Race')
    await waitFor(() =>
      expect(page.getRequestBodies().map((body) => (body as { model: string }).model)).toEqual(['kite-1', 'kite-2']),
    )
    streams[0]?.say('Slow')
    streams[1]?.say('Fast')
    await screen.findByText('Fast')
    await click(page, 'Stop kite-1')
    expect(await screen.findByText('Stopped')).toBeTruthy()
    streams[1]?.say('er')
    streams[1]?.end()
    expect(await screen.findByText('Faster')).toBeTruthy()
    const lanes = screen.getAllByRole('log')
    expect(lanes.map((lane) => lane.getAttribute('aria-label'))).toEqual([
      'Conversation with kite-1',
      'Conversation with kite-2',
    ])
    expect(lanes.map((lane) => [lane.textContent?.includes('Slow'), lane.textContent?.includes('Faster')])).toEqual([
      [true, false],
      [false, true],
    ])
    await click(page, 'Remove kite-1')
    await untilGone(() => screen.queryByText('Slow'))
    expect(screen.getByText('Faster')).toBeTruthy()
  })

  test('the initial model is the one in the address, or else the default', async () => {
    const first = await openPlayground({ address: '/playground?model=kite-2' })
    expect(textOf(await screen.findByRole('combobox', { name: 'Model' }, { timeout: 5_000 }))).toBe('kite-2')
    first.unmount()
    await openPlayground({ models: ['kite-1', 'gpt-4o-mini'] })
    expect(textOf(await screen.findByRole('combobox', { name: 'Model' }))).toBe('gpt-4o-mini')
  })

  test('typing replaces the chosen name', async () => {
    const page = await openPlayground()
    const field = await screen.findByRole('combobox', { name: 'Model' }, { timeout: 5_000 })
    await page.user.click(field)
    await page.user.keyboard('kite-3')
    expect(textOf(field)).toBe('kite-3')
    await page.user.click(await screen.findByRole('option', { name: 'kite-3' }))
    expect(textOf(field)).toBe('kite-3')
  })

  test('only chat models are offered', async () => {
    const page = await openPlayground()
    await page.box()
    expect(page.calls.find(({ path }) => path === '/api/user/models')?.query).toEqual({ chat: 'true' })
  })

  test('a page without models says why and what to do', async () => {
    const { unmount } = await openPlayground({ models: [] })
    expect(await screen.findByText('No models are available yet')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Add a channel' })).toBeNull()
    unmount()
    await openPlayground({ models: [], user: { role: 100 } })
    const link = await screen.findByRole('link', { name: 'Add a channel' })
    expect(link.getAttribute('href')).toBe('/admin/channels?edit=new')
  })
})

describe('the address', () => {
  test('the address names the session after the first message, and an empty one starts a new session', async () => {
    const page = await openPlayground({ answers: [() => chatResponse('Well.')] })
    await page.sendMessage('Remember me')
    await screen.findByText('Well.')
    const { session } = page.router.state.location.search as { session?: string }
    expect(session).toBeTruthy()
    await click(page, 'New session')
    expect(await screen.findByText('Start a conversation')).toBeTruthy()
    await click(page, 'Sessions')
    await page.user.click(await screen.findByRole('link', { name: /Remember me/ }))
    expect(await screen.findByText('Well.')).toBeTruthy()
    expect(page.router.state.location.search).toEqual({ session } as never)
  })

  test('an unknown session starts a new one and says so', async () => {
    await openPlayground({ address: '/playground?session=gone' })
    expect(await screen.findByText(/Session not found/)).toBeTruthy()
    expect(await screen.findByText('Start a conversation')).toBeTruthy()
  })

  test('a draft is continued once', async () => {
    const messages = [
      { role: 'user', content: 'Asked before' },
      { role: 'assistant', content: 'Answered before' },
    ]
    sessionStorage.setItem('playground-draft', JSON.stringify({ model: 'kite-2', messages }))
    const page = await openPlayground({ address: '/playground?draft=1' })
    expect(await screen.findByText('Answered before', {}, { timeout: 5_000 })).toBeTruthy()
    expect(sessionStorage.getItem('playground-draft')).toBeNull()
    await page.sendMessage('And now?')
    await waitFor(() =>
      expect(page.getRequestBodies()[0]).toMatchObject({
        model: 'kite-2',
        messages: [...messages, { role: 'user', content: 'And now?' }],
      }),
    )
  })

  test('an expired sign-in says so', async () => {
    await openPlayground({ address: '/playground?expired=true' })
    expect(await screen.findByText(/your login has expired/)).toBeTruthy()
  })
})

describe('sessions', () => {
  test('sessions are searched, renamed and deleted', async () => {
    const page = await openPlayground()
    await page.sendMessage('About cats')
    await click(page, 'Sessions')
    await click(page, 'Actions for About cats')
    await page.user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const field = await screen.findByRole('textbox', { name: 'Session name' })
    await page.user.clear(field)
    await page.user.type(field, 'Felines{Enter}')
    expect(await screen.findByRole('link', { name: /Felines/ }, { timeout: 3_000 })).toBeTruthy()
    const search = screen.getByRole('textbox', { name: 'Search sessions' })
    await page.user.type(search, 'dogs')
    expect(await screen.findByText('No matching sessions')).toBeTruthy()
    await page.user.clear(search)
    await page.user.type(search, 'cats')
    await click(page, 'Actions for Felines')
    await page.user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    await page.user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Start a conversation')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Felines/ })).toBeNull()
  })
})

describe('images', () => {
  const dot = new File([Uint8Array.of(1, 2, 3)], 'dot.png', { type: 'image/png' })

  test('images are sent with the question, and can be removed', async () => {
    const page = await openPlayground()
    await page.box()
    await page.user.upload(screen.getByLabelText('Add images', { selector: 'input' }), [dot, dot])
    await click(page, 'Remove image 2')
    await page.sendMessage('What is it?')
    await waitFor(() => expect(page.getRequestBodies()).toHaveLength(1))
    expect(page.getRequestBodies()[0]).toMatchObject({
      messages: [
        {},
        {
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
          ],
        },
      ],
    })
    expect(screen.getByRole('img', { name: 'Image 1' })).toBeTruthy()
  })

  test('images that are too large are refused by name', async () => {
    const page = await openPlayground()
    await page.box()
    const huge = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'huge.png', { type: 'image/png' })
    await page.user.upload(screen.getByLabelText('Add images', { selector: 'input' }), huge)
    expect(await screen.findByText('huge.png is too large: an image can have up to 5 MB')).toBeTruthy()
  })
})

test('a hostile response never runs scripts', async () => {
  const hostile = [
    '<script>globalThis.owned = 1</script><img src=x onerror="globalThis.owned = 1">',
    '[run](javascript:globalThis.owned=1) ![x](javascript:alert(1)) ![y](data:text/html,<script>1</script>)',
    '[safe](https://example.com)',
  ].join('\n\n')
  const stream = aStream()
  const page = await openPlayground({ answers: [() => stream.response] })
  await page.sendMessage('Be nasty')
  stream.say(hostile)
  stream.say({
    images: [
      { image_url: { url: 'javascript:alert(1)' } },
      { image_url: { url: 'data:image/svg+xml,<svg onload=alert(1)>' } },
    ],
  })
  stream.end()
  const link = await screen.findByRole('link', { name: 'safe' })
  expect(link.getAttribute('rel')).toContain('noopener')
  const log = screen.getByRole('log')
  expect(log.querySelector('script, iframe, [onerror], [onload]')).toBeNull()
  const addresses = [...log.querySelectorAll('[href], [src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src'),
  )
  expect(addresses).toEqual(['https://example.com', '/app/logs/api-usage?request=req-stream'])
  expect('owned' in globalThis).toBe(false)
})
