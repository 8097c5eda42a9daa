import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let paths: string[] = []
let hasResponses = true
let hasChats = false
let refusedWith = 400

const usualRefusal =
  'Function tools with reasoning are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.'
let refusedFor = usualRefusal
const createRefusal = () => ({
  error: {
    message: refusedFor,
    type: 'invalid_request_error',
    param: 'reasoning_effort',
    code: null,
  },
})
const output = [
  {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
  },
]
const response = {
  id: 'r',
  object: 'response',
  status: 'completed',
  model: 'x',
  output,
  usage: { input_tokens: 3, output_tokens: 2 },
}

const completion = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
}

const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    paths.push(pathname)
    if (pathname.endsWith('/chat/completions'))
      return hasChats ? Response.json(completion) : Response.json(createRefusal(), { status: refusedWith })
    return hasResponses ? Response.json(response) : new Response('nothing here', { status: 404 })
  },
})

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.changeChannel(1, { status: 2 })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop(true)
})
beforeEach(() => {
  paths = []
  hasResponses = true
  hasChats = false
  refusedWith = 400
  refusedFor = usualRefusal
  world.forgetHealth()
})

const root = `http://127.0.0.1:${vendor.port}`

describe('an upstream that names another endpoint', () => {
  test.each([
    ['OpenAI', 1, root, '/v1/responses', '/v1/chat/completions'],
    ['a compatible host', 8, `${root}/api/v1/chat/completions`, '/api/v1/responses', '/api/v1/chat/completions'],
  ])('%s is asked there once, and then at once', async (_what, type, base_url, there, chats) => {
    const id = await world.addChannel({ type, base_url, models: 'gpt-4o' })
    const isServed = async () => (await (await world.chat({ model: 'gpt-4o' })).text()).includes('Hello.')
    expect([await isServed(), await isServed()]).toEqual([true, true])
    expect(paths).toEqual([chats, there, there])
    await world.changeChannel(id, { status: 2 })
  })

  test.each([
    [410, usualRefusal],
    [400, 'Sonar is now the Agent API'],
    // https://github.com/egoist/chatwise-releases/issues/1256
    [
      404,
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
    ],
    // https://github.com/langchain-ai/langchain-azure/issues/228
    [
      400,
      'The chatCompletion operation does not work with the specified model, gpt-4o. Please choose different model.',
    ],
  ])('a host that refuses chat completions with %s and “%s” is asked by Responses', async (status, message) => {
    refusedWith = status
    refusedFor = message
    const id = await world.addChannel({ base_url: root, models: 'gpt-4o' })
    expect((await world.chat({ model: 'gpt-4o' })).status).toBe(200)
    expect(paths).toEqual(['/v1/chat/completions', '/v1/responses'])
    await world.changeChannel(id, { status: 2 })
  })

  test('a host that names an endpoint which it lacks is not asked there again', async () => {
    hasResponses = false
    const id = await world.addChannel({ base_url: root, models: 'gpt-4o' })
    const clientResponse = await world.chat({ model: 'gpt-4o' })
    expect([clientResponse.status, paths]).toEqual([400, ['/v1/chat/completions', '/v1/responses']])
    expect(await clientResponse.text()).toContain('Function tools with reasoning')
    expect(world.ctx.health.lessons.isEmpty).toBe(true)
    await world.changeChannel(id, { status: 2 })
  })

  test('a host without Responses is asked by chats for what OpenAI serves there alone, and then at once', async () => {
    hasResponses = false
    hasChats = true
    const id = await world.addChannel({ base_url: root, models: 'gpt-5.6' })
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    const isServed = async () => (await (await world.chat({ model: 'gpt-5.6', tools })).text()).includes('Hello.')
    expect([await isServed(), await isServed()]).toEqual([true, true])
    expect(paths).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions'])
    await world.changeChannel(id, { status: 2 })
  })

  test('a model that neither address has is not found, after both', async () => {
    hasResponses = false
    const id = await world.addChannel({ base_url: root, models: 'gpt-5.6' })
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    await (await world.chat({ model: 'gpt-5.6', tools })).text()
    expect(paths).toEqual(['/v1/responses', '/v1/chat/completions'])
    expect(world.ctx.health.lessons.isEmpty).toBe(true)
    await world.changeChannel(id, { status: 2 })
  })
})
