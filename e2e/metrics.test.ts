import { expect, test } from 'bun:test'

import { aWorld } from './world'

test('any worker tells the metrics of all', async () => {
  await using world = await aWorld({ gateway: { workers: 2 } })
  const calls = 20
  for (let call = 0; call < calls; call += 1) {
    const answer = await fetch(`${world.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, connection: 'close' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }),
      keepalive: false,
    })
    await answer.text()
  }
  for (let time = 0; time < 5; time += 1) {
    const text = await (await fetch(`${world.gateway.url}/metrics`, { keepalive: false })).text()
    expect(text).toContain(`tollgate_charges_total ${calls}\n`)
  }
})
