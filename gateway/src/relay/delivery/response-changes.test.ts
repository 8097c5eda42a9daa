import { expect, test } from 'bun:test'

import { createRelayWorld } from '../../../test/relay-world'

test('the SDK of Mistral for JavaScript, which refuses a null usage, reads chunks without it, and others read them as they came', async () => {
  await using world = await createRelayWorld()
  const body = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hello' }] }
  const streamTo = async (agent: string) =>
    (await world.post('/v1/chat/completions', body, { headers: { 'user-agent': agent } })).text()
  expect(await streamTo('mistral-client-typescript/2.7.0')).not.toContain('usage')
  expect(await streamTo('OpenAI/JS 6.9.0')).toContain('"usage":null')
})
