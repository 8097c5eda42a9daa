import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ base_url: world.simulator.url, type: 4, models: 'llama3-7b' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const messages = [{ role: 'user', content: 'hello' }]
const listRequests = () => world.simulator.requests.map(({ path, json }) => [path, json])

test('a chat with a size of the context reaches Ollama’s own address, and its usage is charged', async () => {
  const response = await world.chat({ model: 'llama3-7b', num_ctx: 8192 })
  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ finish_reason: 'stop' }],
    usage: { completion_tokens: expect.any(Number) },
  })
  expect(listRequests()).toEqual([
    ['/api/chat', { model: 'llama3-7b', messages, options: { num_ctx: 8192 }, stream: false }],
  ])
})

test('lines of Ollama’s stream become the events of each dialect', async () => {
  const chat = await world.chat({ model: 'llama3-7b', stream: true })
  expect(await chat.text()).toEndWith('data: [DONE]\n\n')
  const messageStream = await world.post('/v1/messages', { model: 'llama3-7b', max_tokens: 99, messages, stream: true })
  const text = await messageStream.text()
  expect(text).toContain('"stop_reason":"end_turn"')
  expect(text).toContain('event: message_stop')
})

test('a client of Messages that wants no thinking switches it off at Ollama', async () => {
  const thinking = { type: 'disabled' }
  await world.post('/v1/messages', { model: 'llama3-7b', max_tokens: 99, messages, thinking })
  expect(listRequests()).toEqual([
    ['/api/chat', expect.objectContaining({ think: false, options: { num_predict: 99 } })],
  ])
})

test('a channel that is set to the compatible address gets chats there', async () => {
  await world.addChannel({ base_url: world.simulator.url, type: 4, models: 'llama3.3', other: 'openai' })
  await world.setOptions({ SelfUseModeEnabled: 'true' })
  await world.chat({ model: 'llama3.3' })
  expect(listRequests()).toEqual([['/v1/chat/completions', expect.objectContaining({ model: 'llama3.3' })]])
})
