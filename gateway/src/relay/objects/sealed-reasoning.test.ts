import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'

const assistantMessage = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'ok', annotations: [] }],
}
const reasoning = (text: string) => ({ type: 'reasoning', id: `rs_${text}`, summary: [], encrypted_content: text })
const user = { role: 'user', content: 'go on' }

describe.each(eachDatabase)('reasoning that an account sealed (%s)', (database) => {
  let at: ObjectWorld
  let count = 0
  beforeAll(async () => {
    at = await createObjectWorld(database)
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
    at.world.forgetHealth()
  })

  /** Resolves with the reasoning of a response that its vendor does not keep, and the key of the account. */
  async function sealedBy(stream = false) {
    count += 1
    const text = `gAAA${count}`
    at.vendor.extra = { output: [reasoning(text), assistantMessage] }
    await (await at.respond({ store: false, stream })).text()
    at.vendor.extra = {}
    return { text, key: at.vendor.last.key }
  }
  const goOn = (text: string, caller = at.ann, more: JsonObject = {}) =>
    at.respond({ store: false, input: [user, reasoning(text), assistantMessage, user], ...more }, caller)
  const readSentBody = () => JSON.stringify(at.vendor.last.body)

  test.each([false, true])('it leads back to its account, whatever channels there are (stream: %p)', async (stream) => {
    const { text, key } = await sealedBy(stream)
    for (let turn = 0; turn < 10; turn += 1) {
      expect((await goOn(text)).status).toBe(200)
      expect([at.vendor.last.key, readSentBody().includes(text)]).toEqual([key, true])
    }
  })

  test('a call of another user goes on without it', async () => {
    const { text } = await sealedBy()
    await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    expect((await goOn(text, at.ben)).status).toBe(200)
    expect(readSentBody()).not.toContain(text)
    expect(at.vendor.last.body['input']).toEqual([user, assistantMessage, user])
  })

  test('what no call left is passed on as it is', async () => {
    expect((await goOn('gAAA-elsewhere')).status).toBe(200)
    expect(readSentBody()).toContain('gAAA-elsewhere')
  })

  test('a call goes on elsewhere without the reasoning when its account fails', async () => {
    let { text, key } = await sealedBy()
    while (key !== 'k3') ({ text, key } = await sealedBy())
    at.vendor.failing = new Set([key])
    expect((await goOn(text)).status).toBe(200)
    const [first, second] = at.vendor.received.slice(-2)
    expect([first?.key, JSON.stringify(first?.body).includes(text)]).toEqual([key, true])
    expect(second?.key).not.toBe(key)
    expect(JSON.stringify(second?.body)).not.toContain(text)
    at.vendor.failing = new Set()
  })

  test('a call goes on elsewhere without the reasoning when its account is gone', async () => {
    const channel = await at.world.addChannel({ ...at.keys('k30'), models: 'gpt-4.1', priority: 9 })
    const { text, key } = await sealedBy()
    expect(key).toBe('k30')
    await at.world.changeChannel(channel, { status: 2 })
    expect((await goOn(text)).status).toBe(200)
    expect(at.vendor.last.key).not.toBe('k30')
    expect(readSentBody()).not.toContain(text)
  })

  const called = { functionCall: { name: 'look', args: { id: '7' } } }
  const lookTool = { name: 'look', parameters: { type: 'object', properties: { id: { type: 'string' } } } }
  const signedContent = (seal: string): JsonObject => ({ parts: [{ ...called, thoughtSignature: seal }] })
  const results = { id: 'c', type: 'function', function: { name: 'look', arguments: '{"id":"7"}' } }
  const gemini = 'gemini-2.5-flash'

  /** Client and upstream, what the account seals, and the call of a first and a later turn. */
  const pairs: readonly (readonly [
    string,
    (seal: string) => JsonObject,
    (seal: string | null) => [string, JsonObject],
  ])[] = [
    [
      'Messages over Responses',
      (seal) => ({ output: [reasoning(seal), assistantMessage] }),
      (seal) => {
        const thought = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: seal }] }
        const thinking = { type: 'enabled', budget_tokens: 1024 }
        const messages = seal === null ? [user] : [user, thought, user]
        return ['/v1/messages', { model: 'o3-pro', max_tokens: 4000, thinking, messages }]
      },
    ],
    [
      'Chat Completions over Gemini',
      signedContent,
      (seal) => {
        const call = { ...results, extra_content: { google: { thought_signature: seal } } }
        const turn = [
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c', content: 'amber' },
        ]
        const tools = [{ type: 'function', function: lookTool }]
        return ['/v1/chat/completions', { model: gemini, tools, messages: seal === null ? [user] : [user, ...turn] }]
      },
    ],
    [
      'Gemini over Gemini',
      signedContent,
      (seal) => {
        const question = { role: 'user', parts: [{ text: 'hi' }] }
        const found = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'amber' } } }] }
        const turn = [{ role: 'model', parts: [{ ...called, thoughtSignature: seal }] }, found]
        return [`/v1beta/models/${gemini}`, { contents: seal === null ? [question] : [question, ...turn] }]
      },
    ],
  ]
  const send = ([path, body]: [string, JsonObject], stream: boolean, caller = at.ann) => {
    if (!path.startsWith('/v1beta')) return at.call(path, { ...body, stream }, caller)
    return at.call(`${path}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, body, caller)
  }
  const cases = pairs.flatMap((pair) => [false, true].map((stream) => [...pair, stream] as const))

  test.each(cases)('%s: it leads back to its account', async (_pair, sealing, turn, stream) => {
    count += 1
    const seal = `gAAAA${count}`
    at.vendor.extra = sealing(seal)
    await (await send(turn(null), stream)).text()
    const { key } = at.vendor.last
    at.vendor.extra = {}
    for (let round = 0; round < 6; round += 1) {
      expect((await send(turn(seal), stream)).status).toBe(200)
      expect([at.vendor.last.key, readSentBody().includes(seal)]).toEqual([key, true])
    }
    await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    expect((await send(turn(seal), stream, at.ben)).status).toBe(200)
    expect(readSentBody()).not.toContain(seal)
  })
})
