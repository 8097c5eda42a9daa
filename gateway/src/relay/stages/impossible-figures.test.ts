import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

/* Figures of a vendor that the request cannot have caused, however the vendor says them. */

let respond: () => Response
const upstream = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => respond() })
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const place = { base_url: String(upstream.url).replace(/\/$/, ''), setting: JSON.stringify({ max_retries: 0 }) }
  await world.addChannel({ ...place, models: 'gpt-4.1,dall-e-3,whisper-1,gpt-4o-transcribe', priority: 5 })
  await world.addChannel({ ...place, type: 14, models: 'claude-sonnet-4-5', priority: 5 })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})

async function chargeCall(send: (key: string) => Promise<Response>, body: object | string) {
  respond = () =>
    typeof body === 'string'
      ? new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(body)
  const { userId, key } = await world.addPayer(1_000_000)
  const response = await send(key)
  await response.text()
  expect(response.status).toBe(200)
  const [row] = await world.chargesOf(userId, 1)
  const capped = (JSON.parse(row?.other ?? '{}') as { usage_capped?: object }).usage_capped
  return { quota: row?.quota ?? -1, capped }
}

const hello = [{ role: 'user', content: 'hello' }]
const chat = (more: object) => (key: string) =>
  world.post('/v1/chat/completions', { model: 'gpt-4.1', messages: hello, ...more }, { key })
const messages = (more: object) => (key: string) =>
  world.post('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 50, messages: hello, ...more }, { key })

describe('tools of the vendor', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const responseWithSearches = (count: number) => ({
    id: 'c',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { ...usage, server_tool_use: { web_search_requests: count } },
  })

  test('searches that a chat does not offer are not charged', async () => {
    const plain = await chargeCall(chat({}), responseWithSearches(0))
    expect(plain.capped).toBeUndefined()
    expect(await chargeCall(chat({}), responseWithSearches(1000))).toEqual({
      quota: plain.quota,
      capped: { tool_calls: 1000 },
    })
  })

  test('searches that a response does not offer are not charged', async () => {
    const ran = Array.from({ length: 900 }, (_, id) => ({
      type: 'web_search_call',
      id: `ws_${id}`,
      status: 'completed',
    }))
    const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }
    const { quota, capped } = await chargeCall(
      (key) => world.post('/v1/responses', { model: 'gpt-4.1', input: 'hello' }, { key }),
      {
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [...ran, message],
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      },
    )
    expect(quota).toBeLessThan(100)
    expect(capped).toEqual({ tool_calls: 900 })
  })

  test('more searches than the request allows are charged as many as it allows', async () => {
    const reported = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 500 } },
    }
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }]
    const allowed = await chargeCall(messages({ tools }), reported)
    expect(allowed.capped).toEqual({ tool_calls: 500 })
    expect(allowed.quota).toBeWithin(2 * 0.01 * 500_000, 2 * 0.01 * 500_000 + 1000)
    expect((await chargeCall(messages({}), reported)).quota).toBeLessThan(1000)
  })
})

describe('tokens of pictures and sound', () => {
  const reply = (details: object) => ({
    id: 'c',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500, ...details },
  })
  const spoken = { completion_tokens_details: { audio_tokens: 500 } }

  test('a call of text alone is not charged for them', async () => {
    await world.setOptions({ AudioRatio: '{"gpt-4.1":16}', AudioCompletionRatio: '{"gpt-4.1":2}' })
    const plain = await chargeCall(chat({}), reply({}))
    expect(plain.capped).toBeUndefined()
    const heard = await chargeCall(chat({}), reply({ prompt_tokens_details: { audio_tokens: 1000 } }))
    expect(heard).toEqual({ quota: plain.quota, capped: { prompt_tokens: 1000 } })
    expect(await chargeCall(chat({}), reply(spoken))).toEqual({
      quota: plain.quota,
      capped: { completion_tokens: 500 },
    })
  })

  test('a call that has or asks for them is', async () => {
    const plain = await chargeCall(chat({}), reply({}))
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const hearing = chat({ messages: [{ role: 'user', content: [audio] }] })
    const heard = await chargeCall(hearing, reply({ prompt_tokens_details: { audio_tokens: 1000 } }))
    expect([heard.capped, heard.quota > 5 * plain.quota]).toEqual([undefined, true])
    const speaking = chat({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } })
    const spokenRow = await chargeCall(speaking, reply(spoken))
    expect([spokenRow.capped, spokenRow.quota > 2 * plain.quota]).toEqual([undefined, true])
  })
})

describe('images', () => {
  const one = 0.04 * 500_000
  const draw = (more: object) => (key: string) =>
    world.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a harbour', ...more }, { key })

  test('no more than were asked for are charged', async () => {
    const data = Array.from({ length: 500 }, () => ({ b64_json: 'AAAA' }))
    expect(await chargeCall(draw({}), { created: 1, data })).toEqual({ quota: one, capped: { images: 500 } })
    expect(await chargeCall(draw({ n: 2 }), { created: 1, data: data.slice(0, 2) })).toEqual({
      quota: 2 * one,
      capped: undefined,
    })
  })

  test('a stream of more than were asked for is charged as one', async () => {
    const event = `event: image_generation.completed\ndata: ${JSON.stringify({ type: 'image_generation.completed', b64_json: 'AAAA' })}\n\n`
    expect(await chargeCall(draw({ stream: true }), event.repeat(50))).toMatchObject({ quota: one })
  })
})

describe('recordings', () => {
  /** Ten seconds of silence, 8,000 bytes each. */
  function recording(): File {
    const header = Buffer.alloc(44)
    header.write('RIFF', 0)
    header.writeUInt32LE(36 + 80_000, 4)
    header.write('WAVEfmt ', 8)
    header.writeUInt32LE(16, 16)
    header.writeUInt16LE(1, 20)
    header.writeUInt16LE(1, 22)
    header.writeUInt32LE(8000, 24)
    header.writeUInt32LE(8000, 28)
    header.writeUInt16LE(1, 32)
    header.writeUInt16LE(8, 34)
    header.write('data', 36)
    header.writeUInt32LE(80_000, 40)
    return new File([header, Buffer.alloc(80_000)], 'a.wav', { type: 'audio/wav' })
  }
  const transcribe = (model: string) => (key: string) => {
    const form = new FormData()
    form.set('model', model)
    form.set('file', recording())
    const headers = { authorization: `Bearer ${key}` }
    return fetch(`${world.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
  }

  test('a recording is not charged for more seconds than it has', async () => {
    const right = await chargeCall(transcribe('whisper-1'), { text: 'hi', usage: { type: 'duration', seconds: 10 } })
    expect(right.capped).toBeUndefined()
    const wrong = await chargeCall(transcribe('whisper-1'), {
      text: 'hi',
      usage: { type: 'duration', seconds: 600_000 },
    })
    expect(wrong).toEqual({ quota: right.quota, capped: { seconds: 600_000 } })
  })

  test('a recording is not charged for more tokens than its seconds can have', async () => {
    const usage = (audio: number, text = 0) => ({
      type: 'tokens',
      input_tokens: audio + text,
      output_tokens: 1,
      total_tokens: audio + text + 1,
      input_token_details: { audio_tokens: audio, text_tokens: text },
    })
    const right = await chargeCall(transcribe('gpt-4o-transcribe'), { text: 'hi', usage: usage(100) })
    const wrong = await chargeCall(transcribe('gpt-4o-transcribe'), { text: 'hi', usage: usage(100_000) })
    expect(wrong.capped).toEqual({ prompt_tokens: 100_000 })
    expect(wrong.quota).toBeWithin(right.quota, right.quota * 2)
    const hinted = await chargeCall(transcribe('gpt-4o-transcribe'), { text: 'hi', usage: usage(100, 130_000) })
    expect(hinted).toEqual({ quota: wrong.quota, capped: { prompt_tokens: 130_100 } })
    const short = await chargeCall(transcribe('gpt-4o-transcribe'), { text: 'hi', usage: usage(100, 50) })
    expect(short.capped).toBeUndefined()
  })
})
