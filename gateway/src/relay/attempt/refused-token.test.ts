import { afterAll, beforeAll, expect, test } from 'bun:test'

import { z } from 'zod'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { WallClock } from '../../../test/fake-time'

/** Which tokens the vendor gave and which came back to it. */
let issuedCount = 0
let current = ''
let receivedTokens: string[] = []

const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/oauth/2.0/token') {
      current = `24.token-number-${++issuedCount}`
      return Response.json({ access_token: current, expires_in: 2_592_000 })
    }
    const token = searchParams.get('access_token') ?? ''
    receivedTokens.push(token)
    if (token !== current) return Response.json({ error_code: 110, error_msg: `Access token invalid: ${token}` })
    const { stream } = z.object({ stream: z.boolean().default(false) }).parse(await request.json())
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    const completion = { id: 'as-1', object: 'chat.completion', created: 1, result: 'Hello.', is_end: true, usage }
    if (!stream) return Response.json(completion)
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(`data: ${JSON.stringify(completion)}\n\n`, { headers })
  },
})

const clock = new WallClock()

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ clock })
  const base_url = String(vendor.url).replace(/\/$/, '')
  const key_sealed = world.ctx.seal.seal('an-id|a-secret')
  await world.addChannel({ type: 15, models: 'ERNIE-4.0-8K', base_url, key_sealed, auto_ban: 0 })
  await world.ctx.catalog.rebuild()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop(true)
})

const chat = async (more: object = {}) => {
  receivedTokens = []
  const response = await world.chat({ model: 'ERNIE-4.0-8K', ...more })
  return { status: response.status, text: await response.text() }
}

test('a token is fetched once for several calls', async () => {
  expect((await chat()).text).toContain('Hello.')
  expect((await chat()).status).toBe(200)
  expect([issuedCount, receivedTokens]).toEqual([1, ['24.token-number-1']])
})

test.each([false, true])(
  'a token that the vendor no longer takes is fetched anew within the call, stream %p',
  async (stream) => {
    clock.jump(60_000)
    current = 'ended'
    const before = issuedCount
    expect((await chat({ stream })).text).toContain('Hello.')
    expect(receivedTokens).toEqual([expect.any(String), `24.token-number-${before + 1}`])
    expect(issuedCount).toBe(before + 1)
  },
)

test('a token that is refused again so soon is not fetched a third time', async () => {
  current = 'ended'
  const before = issuedCount
  const refused = await chat()
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.text).not.toContain('token-number')
  expect([issuedCount, receivedTokens]).toEqual([before, [`24.token-number-${before}`]])
})
