import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { faults } from '@tollgate/simulator'

import { createRelayWorld, type PostOptions, type RelayWorld } from '../../../test/relay-world'
import { FakeTime } from '../../../test/fake-time'

const time = new FakeTime()
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ time })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  world.forgetHealth()
})

const model = 'claude-sonnet-4-5'
const messages = [{ role: 'user', content: 'hello' }]

interface Client {
  readonly path: string
  readonly body: object
  readonly headers?: Record<string, string>
  /** What the end of a whole response looks like. */
  readonly end: string
}

const clients: Record<string, Client> = {
  'OpenAI chat': { path: '/v1/chat/completions', body: { model, stream: true, messages }, end: 'data: [DONE]' },
  'OpenAI Responses': {
    path: '/v1/responses',
    body: { model, stream: true, input: 'hello' },
    end: 'response.completed',
  },
  Anthropic: {
    path: '/v1/messages',
    body: { model, stream: true, max_tokens: 50, messages },
    headers: { 'anthropic-version': '2023-06-01' },
    end: 'event: message_stop',
  },
  Gemini: {
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
    end: '"finishReason":"STOP"',
  },
}

/** A vendor for each dialect that streams, and one whose streams are framed differently. */
const vendors = { OpenAI: 1, Anthropic: 14, Gemini: 24, Cohere: 34, Bedrock: 33 }

const endings = ['error-after-start', 'cut-after-start', 'reset-after-start'] as const

const withModel = { models: model }
const post = ({ path, body, headers }: Client, options: PostOptions = {}) =>
  world.post(path, body, { ...options, headers })

describe.each(Object.entries(clients))('a stream for a client of %s', (_, client) => {
  test.each(Object.entries(vendors))(
    'a stream that ends right after its start at %s is replaced by another channel’s, byte for byte',
    async (vendor, type) => {
      const key = vendor === 'Bedrock' ? 'AKIAEXAMPLE|secret|us-east-1' : 'sk-dying'
      const isDying = ({ apiKey, path }: { apiKey: string | null; path: string }) =>
        apiKey === key || path.startsWith('/dying')
      const healthy = await world.addChannel(withModel)
      world.simulator.when(() => true, { tokens: 3 })
      const plain = await (await post(client)).text()
      const dying = await world.addChannel({
        ...withModel,
        type,
        priority: 5,
        base_url: `${world.simulator.url}/dying`,
        key_sealed: world.ctx.seal.seal(key),
      })
      for (const ending of endings) {
        const stop = world.simulator.when(isDying, faults[ending])
        const before = world.simulator.requests.length
        const response = await post(client)
        const text = await response.text()
        stop()
        expect([response.status, withoutIds(text)]).toEqual([200, withoutIds(plain)])
        expect(text).toContain(client.end)
        expect(world.simulator.requests.length - before).toBe(2)
        world.forgetHealth()
      }
      for (const id of [healthy, dying]) await world.changeChannel(id, { status: 2 })
    },
  )
})

/** Ids are numbered by the simulator or made here. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/sim\d+/g, 'sim')
    .replaceAll(/"((?:msg|resp|chatcmpl|item|rs|fc)[_-])[\w-]+"/g, '"$1"')
    .replaceAll(/"(created|created_at|responseId)":("[^"]*"|\d+)/g, '"$1"')
