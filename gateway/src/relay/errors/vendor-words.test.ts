import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let refuse: () => Response
let requestCount = 0
const refusing = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch() {
    requestCount += 1
    return refuse()
  },
})

let world: RelayWorld
let refusingId = 0
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = String(refusing.url).replace(/\/$/, '')
  refusingId = await world.addChannel({ base_url, priority: 5, auto_ban: 0 })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await refusing.stop(true)
})
beforeEach(async () => {
  requestCount = 0
  world.forgetHealth()
  world.simulator.reset()
  await world.changeChannel(1, { status: 1 })
  await world.changeChannel(refusingId, { type: 1 })
})

const withStatus = (status: number, error: object) => () => Response.json({ error }, { status })
const firstEvent =
  (event: object, name = '') =>
  () =>
    new Response(`${name && `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })

const words = [
  'Insufficient credit balance',
  '余额不足，请充值',
  '您的账户已欠费',
  'Sorry, your account balance is insufficient',
  'user quota is not enough',
  'API key not valid. Please pass a valid API key.',
]

describe('words of vendors', () => {
  test.each(words)('a 400 about the operator’s account lets the next channel serve: %s', async (message) => {
    refuse = withStatus(400, { message, type: 'invalid_request_error' })
    const response = await world.chat()
    expect([response.status, requestCount, world.simulator.requests.length]).toEqual([200, 1, 1])
  })

  test.each(words)('a 400 about the operator’s account never reaches the caller: %s', async (message) => {
    refuse = withStatus(400, { message, type: 'invalid_request_error' })
    await world.changeChannel(1, { status: 2 })
    const response = await world.chat()
    const text = await response.text()
    expect([response.status, text.includes('upstream.failed'), text.includes(message)]).toEqual([502, true, false])
  })
})

describe('first events of streams', () => {
  test.each([
    [
      400,
      'context_length_exceeded',
      { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' },
    ],
    [400, '400', { message: 'too long', type: 'BadRequestError', code: 400 }],
    [400, 'content_filter', { message: 'filtered', code: 'content_filter' }],
  ])('a stream that begins with an error about the request ends the call with %i %s', async (status, code, error) => {
    refuse = firstEvent({ error })
    const response = await world.chat({ stream: true })
    const text = await response.text()
    expect([response.status, text.includes(`"${code}"`), text.includes(error.message)]).toEqual([status, true, true])
    expect(world.simulator.requests).toHaveLength(0)
  })

  test('a stream that begins with a prompt too long ends the call with 400 for a client of Claude', async () => {
    await world.changeChannel(refusingId, { type: 14 })
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }
    refuse = firstEvent({ type: 'error', error }, 'error')
    const body = { model: 'gpt-4o', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'hi' }] }
    const response = await world.post('/v1/messages', body)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining('prompt is too long') },
      },
    ])
    expect(world.simulator.requests).toHaveLength(0)
  })

  test('a stream that begins with the number 429 goes to the next channel, and is a 429 where there is none', async () => {
    refuse = firstEvent({ error: { message: 'slow down', code: 429 } })
    expect((await world.chat({ stream: true })).status).toBe(200)
    await world.changeChannel(1, { status: 2 })
    expect((await world.chat({ stream: true })).status).toBe(429)
  })
})
