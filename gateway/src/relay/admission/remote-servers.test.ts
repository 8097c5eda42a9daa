import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const usage = { input_tokens: 3, output_tokens: 2 }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  usage,
}
const reply = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.' }],
    },
  ],
  usage,
}
const candidate = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
}

describe('MCP servers that the vendor is to call', () => {
  let world: RelayWorld
  let received: { path: string; headers: Headers; body: JsonObject }[]
  const vendor = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      received.push({ path, headers: request.headers, body: (await request.json()) as JsonObject })
      if (path.endsWith('/responses')) return Response.json(reply)
      return Response.json(path.includes('Content') ? candidate : message)
    },
  })
  const base = String(vendor.url).replace(/\/$/, '')

  beforeAll(async () => {
    world = await createRelayWorld()
    await world.addChannel({ base_url: base, models: 'gpt-4.1' })
    await world.addChannel({ type: 14, base_url: base, models: 'claude-sonnet-4-5' })
    for (const models of ['claude-sonnet-4-5', 'claude-opus-4-5'])
      await world.addChannel({ type: 14, base_url: 'https://api.deepseek.com/anthropic', models, priority: 9 })
    await world.addChannel({ type: 24, base_url: base, models: 'gemini-2.5-flash' })
    await world.addChannel({ base_url: base, models: 'gemini-2.5-flash', priority: 9 })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await vendor.stop(true)
  })
  beforeEach(() => (received = []))

  const servers = {
    responses: { tools: [{ type: 'mcp', server_label: 'wiki', server_url: 'https://mcp.example' }], input: 'hi' },
    messages: {
      max_tokens: 64,
      messages: [{ role: 'user', content: 'hi' }],
      mcp_servers: [{ type: 'url', name: 'wiki', url: 'https://mcp.example' }],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'wiki' }],
    },
    gemini: {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [{ mcpServers: [{ name: 'wiki', streamableHttpTransport: { url: 'https://mcp.example' } }] }],
    },
  }
  const beta = { 'anthropic-beta': 'mcp-client-2025-11-20' }
  const gemini = '/v1beta/models/gemini-2.5-flash:generateContent'

  test('requests reach vendors that call them as they are, past channels that do not', async () => {
    const calls = [
      ['/v1/responses', { model: 'gpt-4.1', ...servers.responses }],
      ['/v1/messages', { model: 'claude-sonnet-4-5', ...servers.messages }],
      [gemini, servers.gemini],
    ] as const
    for (const [path, body] of calls) expect((await world.post(path, body, { headers: beta })).status).toBe(200)
    expect(received.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/messages', gemini])
    expect(received.map(({ body: { tools, mcp_servers: named } }) => [tools, named])).toEqual([
      [servers.responses.tools, undefined],
      [servers.messages.tools, servers.messages.mcp_servers],
      [servers.gemini.tools, undefined],
    ])
    expect(received[1]?.headers.get('anthropic-beta')).toBe(beta['anthropic-beta'])
  })

  test.each([
    ['Responses over Messages', '/v1/responses', { model: 'claude-sonnet-4-5', ...servers.responses }],
    ['a stream of it', '/v1/responses', { model: 'claude-sonnet-4-5', stream: true, ...servers.responses }],
    ['Messages over Responses', '/v1/messages', { model: 'gpt-4.1', ...servers.messages }],
    ['a host of Messages without them', '/v1/messages', { model: 'claude-opus-4-5', ...servers.messages }],
    ['Gemini over chats', gemini.replace('gemini-2.5-flash', 'gpt-4.1'), servers.gemini],
    ['a call in the background', '/v1/responses', { model: 'claude-opus-4-5', background: true, ...servers.responses }],
  ])('%s is refused in the language of the caller before any vendor is called', async (_title, path, body) => {
    for (const [language, words] of [
      ['en', 'offer their tools as functions'],
      ['zh', '函数形式'],
    ] as const) {
      const response = await world.post(path, body, { headers: { 'accept-language': language } })
      const text = await response.text()
      expect([response.status, text]).toEqual([400, expect.stringContaining(words)])
    }
    expect(received).toEqual([])
  })

  test('an empty list of servers names nothing', async () => {
    const { mcp_servers: _servers, tools: _tools, ...body } = servers.messages
    await world.post('/v1/messages', { model: 'gpt-4.1', ...body, mcp_servers: [] })
    expect(received).toHaveLength(1)
  })
})
