import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

/*
 * Requests whose prompt their body does not show. Their cost is known when the response is there, so that many at once on a small balance
 * would be served for nothing.
 */
const promptTokens = 200_000
const calls = 20

let waiting: (() => void)[] = []
let arrived = Promise.withResolvers<void>()
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    arrived.resolve()
    await promise
    return Response.json(responseAt(new URL(request.url).pathname))
  },
})

function responseAt(path: string): object {
  if (path.includes('generateContent'))
    return {
      candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: promptTokens, candidatesTokenCount: 1 },
    }
  if (path.endsWith('/messages'))
    return {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: promptTokens, output_tokens: 1 },
    }
  const usage = { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 }
  if (path.endsWith('/chat/completions'))
    return {
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage,
    }
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }]
  return { id: 'r', object: 'response', status: 'completed', output, usage }
}

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const place = { base_url: String(upstream.url).replace(/\/$/, ''), setting: JSON.stringify({ max_retries: 0 }) }
  const channels = [
    await world.addChannel({ ...place, models: 'gpt-4.1,gpt-4.1-mini' }),
    await world.addChannel({ ...place, type: 14, models: 'claude-sonnet-4-5' }),
    await world.addChannel({ ...place, type: 24, models: 'gemini-2.5-flash' }),
  ]
  await world.setOptions({ VendorObjects: JSON.stringify(channels.map((channel) => ({ id: '*', channel }))) })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})

const pdf = 'A'.repeat(300_000)
const messagesOf = (content: unknown) => [{ role: 'user', content }]
const gemini = '/v1beta/models/gemini-2.5-flash:generateContent'
const fromGoogle = (part: object) => ({ contents: [{ role: 'user', parts: [part] }] })

/** Sends many calls at once and lets the upstream answer when each is refused or arrived. Resolves with how many were served, and what is left. */
async function burst(path: string, body: object, quota: number) {
  const { userId, key } = await world.addPayer(quota)
  waiting = []
  const pendingResponses = Array.from({ length: calls }, () => world.post(path, body, { key }))
  let refused = 0
  for (const pendingResponse of pendingResponses)
    void pendingResponse.then(({ status }) => (refused += status === 403 ? 1 : 0))
  while (waiting.length + refused < calls) {
    arrived = Promise.withResolvers<void>()
    await Promise.race([arrived.promise, Promise.any(pendingResponses.slice(refused))])
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const release of waiting) release()
  const statuses = (await Promise.all(pendingResponses)).map(({ status }) => status)
  const served = statuses.filter((status) => status === 200).length
  const rows = await world.chargesOf(userId, served)
  return { served, left: await world.balanceOf(userId), cost: rows[0]?.quota ?? 0 }
}

describe('many calls at once on a balance for none of them', () => {
  test.each<[string, string, object]>([
    ['a stored response', '/v1/responses', { model: 'gpt-4.1', input: 'go on', previous_response_id: 'resp_1' }],
    [
      'a server of the caller',
      '/v1/responses',
      {
        model: 'gpt-4.1',
        input: 'go on',
        tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://a.example' }],
      },
    ],
    [
      'a page that the vendor fetches',
      '/v1/messages',
      {
        model: 'claude-sonnet-4-5',
        max_tokens: 16,
        messages: messagesOf('https://a.example'),
        tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }],
      },
    ],
    [
      'a film that is given as a picture',
      gemini,
      fromGoogle({ fileData: { mimeType: 'image/png', fileUri: 'https://www.youtube.com/watch?v=1' } }),
    ],
    ['a stored prompt', '/v1/responses', { model: 'gpt-4.1', input: 'go on', prompt: { id: 'pmpt_1' } }],
    [
      'a file at an address',
      '/v1/responses',
      { model: 'gpt-4.1', input: messagesOf([{ type: 'input_file', file_url: 'https://files.example/a.pdf' }]) },
    ],
    [
      'a document in the body',
      '/v1/messages',
      {
        model: 'claude-sonnet-4-5',
        max_tokens: 16,
        messages: messagesOf([
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
          { type: 'text', text: 'what?' },
        ]),
      },
    ],
    [
      'a file in the body',
      '/v1/chat/completions',
      {
        model: 'gpt-4.1-mini',
        messages: messagesOf([
          { type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}`, filename: 'a.pdf' } },
        ]),
      },
    ],
    ['a cached content', gemini, { ...fromGoogle({ text: 'what?' }), cachedContent: 'cachedContents/1' }],
    [
      'a film at an address',
      gemini,
      fromGoogle({ fileData: { fileUri: 'https://films.example/1', mimeType: 'video/mp4' } }),
    ],
    ['a film in the body', gemini, fromGoogle({ inlineData: { mimeType: 'video/mp4', data: pdf } })],
    [
      'many searches',
      '/v1/messages',
      {
        model: 'claude-sonnet-4-5',
        max_tokens: 16,
        messages: messagesOf('what is new?'),
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 30 }],
      },
    ],
  ])('%s is paid with all of a small balance, and falls below zero by one call at most', async (_what, path, body) => {
    const { served, left, cost } = await burst(path, body, 20_000)
    expect(served).toBe(1)
    expect(cost).toBeGreaterThan(20_000)
    expect(left).toBe(20_000 - cost)
  })

  test('a balance that pays for all of them is shared as before', async () => {
    const body = { model: 'gpt-4.1', input: 'go on', previous_response_id: 'resp_1', max_output_tokens: 16 }
    const { served, left, cost } = await burst('/v1/responses', body, 1e9)
    expect([served, left]).toEqual([calls, 1e9 - calls * cost])
  })
})
