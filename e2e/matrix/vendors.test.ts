import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { call } from '../call'
import { quotaByTokens } from '../formula'
import { until } from '../ledger-view'
import { aWorld, untilAllKnow, type World } from '../world'
import { anthropicClient } from './clients/anthropic'
import { geminiClient } from './clients/gemini'
import { openAiChatClient } from './clients/openai-chat'
import { openAiResponsesClient } from './clients/openai-responses'
import { vendorHeading } from './compatibility'
import { ModeTable } from './mode-table'

setDefaultTimeout(120_000)

/** Vendors with a wire format of their own, each with what its channel needs. */
const vendors = [
  {
    name: 'Bedrock',
    type: 33,
    model: 'claude-opus-4-5-20251101',
    key: 'AKIAFAKE|not-a-real-secret|us-east-1',
    path: '',
  },
  {
    name: 'Bedrock (Converse)',
    type: 33,
    model: 'us.amazon.nova-pro-v1:0',
    key: 'AKIAFAKE|not-a-real-secret|us-east-1',
    path: '',
  },
  { name: 'Cohere', type: 34, model: 'command-r', key: 'not-a-real-key', path: '/cohere' },
  { name: 'Ollama', type: 4, model: 'llama3-7b', key: 'none', path: '' },
  { name: 'Baidu', type: 15, model: 'ERNIE-4.0-8K', key: 'an-id|not-a-real-secret', path: '' },
  { name: 'Coze', type: 53, model: 'coze-bot', key: 'pat_not-a-real-key', path: '' },
  { name: 'Dify', type: 37, model: 'dify', key: 'app-not-a-real-key', path: '' },
  {
    name: 'iFlytek',
    type: 18,
    model: 'SparkDesk-v3.5',
    key: 'an-app|not-a-real-secret|not-a-real-key',
    path: '',
  },
  {
    name: 'Tencent',
    type: 23,
    model: 'hunyuan-turbos-latest',
    key: 'an-app|an-id|not-a-real-secret',
    path: '',
  },
  { name: 'Zhipu', type: 16, model: 'chatglm_turbo', key: 'an-id.not-a-real-secret', path: '' },
] as const

const clients = {
  'openai-chat': openAiChatClient,
  'openai-responses': openAiResponsesClient,
  'anthropic-messages': anthropicClient,
  gemini: geminiClient,
}

const library = 'gpt-4-turbo'

const table = new ModeTable({
  heading: vendorHeading,
  intro: 'The same for vendors whose wire format no client speaks: text from every dialect.',
  columns: Object.keys(clients),
})
const modeOf = (stream: boolean): string => (stream ? 's' : 'w')

let world: World
let ledgerAudit: LedgerAudit
beforeAll(async () => {
  const all = [...vendors.map(({ model }) => model), library]
  const ratios = Object.fromEntries(all.map((model) => [model, 1]))
  world = await aWorld({
    models: ['gpt-4o'],
    simulator: { models: all },
    options: { ModelRatio: ratios, CompletionRatio: ratios },
  })
  const { url } = world.simulator
  for (const { name, type, model, key, path } of vendors)
    await world.console.addChannel({ name, type, key, models: model, base_url: url + path })
  await world.console.addChannel({ name: 'Library', type: 21, models: library, base_url: url, other: 'a-library' })
  await untilAllKnow(world.gateway, world.key, all)
  ledgerAudit = openLedgerAudit(world.gateway.dataDir)
})
afterAll(async () => {
  await ledgerAudit[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await table.keep()
})
beforeEach(() => world.simulator.reset())

describe.each(vendors)('$name', ({ name, model }) => {
  for (const [speaks, make] of Object.entries(clients)) {
    test.each([false, true])(`a client that speaks ${speaks} gets its response, stream %p`, async (stream) => {
      world.simulator.next({ tokens: 4 })
      const { length: before } = await chargesOf(model)
      const turns = [{ from: 'user', text: 'Hello' }] as const
      const reply = await make(world.gateway.url, world.key).call({ model, stream, turns, maxTokens: 100 })
      expect(reply).toMatchObject({ text: 'the quick brown fox', ended: 'stop' })
      expect(reply.usage.completion).toBe(4)
      await expectCharge(model, before, reply.usage)
      table.pass(name, speaks, modeOf(stream))
    })
  }
})

const chargesOf = async (model: string) => (await ledgerAudit.logs()).filter((row) => row.model_name === model)

/** Waits for the charge of a call and compares it with the usage that the client was told. */
async function expectCharge(model: string, before: number, usage: { prompt: number; completion: number }) {
  const charged = await until(
    () => chargesOf(model),
    ({ length }) => length > before,
  )
  const { prompt, completion } = usage
  expect(charged).toHaveLength(before + 1)
  expect(charged.at(-1)).toMatchObject({
    prompt_tokens: prompt,
    completion_tokens: completion,
    quota: quotaByTokens({ model: 1, completion: 1 }, { prompt, completion }),
  })
}

describe('a library of AI Proxy', () => {
  const text = 'the quick brown fox\n\n1. [The manual](https://docs.example/manual)'
  for (const [speaks, make] of Object.entries(clients)) {
    test.each([false, true])(`answers a client that speaks ${speaks} with its documents, stream %p`, async (stream) => {
      world.simulator.next({ tokens: 4 })
      const { length: before } = await chargesOf(library)
      const turns = [{ from: 'user', text: 'Hello' }] as const
      const reply = await make(world.gateway.url, world.key).call({ model: library, stream, turns, maxTokens: 100 })
      expect(reply).toMatchObject({ text, ended: 'stop' })
      expect(world.simulator.requests[0]?.json).toMatchObject({ query: 'Hello', libraryId: 'a-library' })
      await expectCharge(library, before, reply.usage)
      expect(reply.usage.completion).toBeGreaterThan(4)
      table.pass('AI Proxy', speaks, modeOf(stream))
    })
  }
})

test.each([
  ['/v1/chat/completions', 'messages', 'id'],
  ['/v1/messages', 'messages', 'id'],
  ['/v1/responses', 'input', 'id'],
] as const)('a conversation of Dify goes on where the response of %s says', async (path, chatLog, place) => {
  const question = { role: 'user', content: 'Rain?' }
  const send = (more: object) => call(world.gateway, world.key, { model: 'dify', max_tokens: 9, ...more }, { path })
  const first = JSON.parse((await send({ [chatLog]: [question] })).text)
  const more = [question, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'And snow?' }]
  const second = JSON.parse((await send({ [chatLog]: more, conversation_id: first[place] })).text)
  expect(second[place]).toBe(first[place])
  expect(world.simulator.requests[1]?.json).toMatchObject({ query: 'And snow?', conversation_id: 'conversation-sim1' })
})

test('an agent of Dify thinks with its tools and says its text once', async () => {
  world.simulator.next({ tokens: 4 })
  const body = { model: 'dify', messages: [{ role: 'user', content: 'Rain?' }], inputs: { agent: true } }
  const { text } = await call(world.gateway, world.key, body)
  expect(JSON.parse(text).choices[0].message).toMatchObject({
    content: 'the quick brown fox',
    reasoning_content: 'weather({"city":"Ulm"})\nwet\n',
  })
})

describe('an upstream over a WebSocket', () => {
  const refusal = { header: { code: 10_013, message: 'Not allowed', sid: 's', status: 2 } }
  test.each([
    ['refuses in a message', { kind: 'object-in-200', object: refusal }, 400],
    ['closes before the end', { kind: 'cut', afterFrames: 2 }, 502],
    ['resets the connection', { kind: 'reset', when: { afterFrames: 1 } }, 502],
    ['sends what is not JSON', { kind: 'malformed-frame', afterFrames: 1 }, 502],
  ] as const)('an upstream that %s fails the call, which costs nothing', async (_, fault, status) => {
    world.simulator.when(() => true, { fault })
    const model = 'SparkDesk-v3.5'
    const charged = await chargesOf(model)
    const reply = await call(world.gateway, world.key, { model, messages: [{ role: 'user', content: 'Hello' }] })
    expect(reply.status).toBe(status)
    expect(await chargesOf(model)).toEqual(charged)
  })
})
