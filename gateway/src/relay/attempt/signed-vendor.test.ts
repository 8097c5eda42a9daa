import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const model = 'claude-sonnet-4-5-20250929'

/** One message of Amazon's binary event stream. */
function message(headers: Record<string, string>, payload: object): Uint8Array {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, 0, value.length]),
        Buffer.from(value),
      ]),
    ),
  )
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(Bun.hash.crc32(prelude.subarray(0, 8)), 8)
  const end = Buffer.alloc(4)
  end.writeUInt32BE(Bun.hash.crc32(Buffer.concat([prelude, head, body])))
  return Buffer.concat([prelude, head, body, end])
}

const chunk = (event: object) =>
  message(
    { ':event-type': 'chunk', ':message-type': 'event' },
    { bytes: Buffer.from(JSON.stringify(event)).toString('base64') },
  )

const events: readonly object[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 15, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'The harbour ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'freezes.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 11 } },
  { type: 'message_stop' },
]

const responseOf = (messages: readonly Uint8Array[]) =>
  new Response(Buffer.concat(messages), { headers: { 'content-type': 'application/vnd.amazon.eventstream' } })

let respond = () => responseOf(events.map(chunk))
let received: { path: string; headers: Headers; body: unknown } | undefined

const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    received = { path: new URL(request.url).pathname, headers: request.headers, body: await request.json() }
    return respond()
  },
})

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({
    type: 33,
    models: model,
    base_url: String(vendor.url).replace(/\/$/, ''),
    key_sealed: world.ctx.seal.seal('AK1|sk1|us-east-1'),
  })
  await world.ctx.catalog.rebuild()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop(true)
})

const messageRequest = { model, max_tokens: 64, stream: true, messages: [{ role: 'user', content: 'When?' }] }

describe('a vendor with signed requests and binary streams', () => {
  test('a client that speaks the model’s own dialect is served by a signed vendor', async () => {
    const betas = 'claude-code-20250219,effort-2025-11-24'
    const response = await world.post('/v1/messages', messageRequest, { headers: { 'anthropic-beta': betas } })
    expect(response.headers.get('tollgate-dropped')).toBe('the beta claude-code-20250219')
    const text = events.map(
      (event) => `event: ${'type' in event && String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    expect([response.status, await response.text()]).toEqual([200, text.join('')])
    expect(received?.path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream')
    expect(received?.headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK1\/\d{8}\/us-east-1\/bedrock\//,
    )
    expect(received?.body).toEqual({
      max_tokens: 64,
      messages: [{ role: 'user', content: 'When?' }],
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['effort-2025-11-24'],
    })
  })

  test('a client of another dialect is served by a signed vendor and charged', async () => {
    const response = await world.post('/v1/chat/completions', messageRequest)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('"content":"The harbour "')
    expect(text).toEndWith('data: [DONE]\n\n')
    expect((await world.logs()).at(-1)).toMatchObject({ prompt_tokens: 15, completion_tokens: 11 })
  })

  test('a signed vendor that fails before its stream begins is a failed attempt', async () => {
    const thrown = message(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      { message: 'Too many tokens' },
    )
    respond = () => responseOf([thrown])
    const before = await world.logs()
    const response = await world.post('/v1/messages', messageRequest)
    respond = () => responseOf(events.map(chunk))
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.json()).toMatchObject({ type: 'error' })
    expect(await world.logs()).toHaveLength(before.length)
  })

  test('a signed vendor is not called with a malformed key', async () => {
    const { id } = await world.ctx.database.query
      .selectFrom('channels')
      .select('id')
      .where('type', '=', 33)
      .executeTakeFirstOrThrow()
    await world.changeChannel(id, { key_sealed: world.ctx.seal.seal('AK1|sk1'), auto_ban: 0 })
    received = undefined
    const response = await world.post('/v1/messages', messageRequest)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(received).toBeUndefined()
    expect(await response.text()).not.toContain('sk1')
  })
})
