import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const bot = '7342866812345'
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({
    ModelRatio: JSON.stringify({ harbour: 1 }),
    CompletionRatio: JSON.stringify({ harbour: 1 }),
  })
  const model_mapping = JSON.stringify({ harbour: bot })
  await world.addChannel({ base_url: world.simulator.url, type: 53, models: 'harbour', model_mapping })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const question = { role: 'user', content: 'Rain?' }
const listRequests = () => world.simulator.requests.map(({ path, query, json }) => [path, query, json])

test('a bot of Coze answers in one piece and in a stream, and its usage is charged', async () => {
  const userId = await world.addUser(1_000_000)
  const key = await world.addToken(userId)
  world.simulator.next({ tokens: 4 })
  const whole = await world.chat({ model: 'harbour', messages: [question] }, { key })
  expect(await whole.json()).toMatchObject({
    object: 'chat.completion',
    model: 'harbour',
    choices: [{ message: { content: 'the quick brown fox' }, finish_reason: 'stop' }],
    usage: { completion_tokens: 4 },
  })
  const streamed = await world.chat({ model: 'harbour', messages: [question], stream: true }, { key })
  expect(await streamed.text()).toEndWith('data: [DONE]\n\n')
  expect(listRequests()).toEqual([
    ['/v3/chat', '', expect.objectContaining({ bot_id: bot, stream: true })],
    ['/v3/chat', '', expect.objectContaining({ bot_id: bot, stream: true })],
  ])
  expect(await world.chargesOf(userId, 2)).toHaveLength(2)
})

test('a conversation goes on where the response says, with what was said since', async () => {
  const first = (await (await world.chat({ model: 'harbour', messages: [question] })).json()) as { id: string }
  const messages = [question, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'And snow?' }]
  const body = { model: 'harbour', messages, conversation_id: first.id }
  const second = (await (await world.chat(body)).json()) as { id: string }
  expect(second.id).toBe(first.id)
  const [, [path, query, json] = []] = listRequests()
  expect([path, query]).toEqual(['/v3/chat', 'conversation_id=conversation-sim1'])
  expect(json).toMatchObject({ additional_messages: [{ role: 'user', content: 'And snow?' }] })
  expect(json).not.toHaveProperty('conversation_id')
})
