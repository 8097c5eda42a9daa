import { expect, test, setDefaultTimeout } from 'bun:test'

import { openBooks } from './books'
import { call } from './call'
import { aWorld } from './world'

// above every time limit inside, so that the reason is told
setDefaultTimeout(30_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
const streams = 40

test.each([1, 2])(
  'SIGTERM with %d workers cuts no stream and leaves nothing unbilled',
  async (workers) => {
    await using world = await aWorld({
      gateway: { workers },
      options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } },
    })
    const gate = Promise.withResolvers<void>()
    world.simulator.when(() => true, { tokens: 10, gate: (frame) => (frame === 5 ? gate.promise : undefined) })
    const calls = Array.from({ length: streams }, () =>
      call(world.gateway, world.key, { model, messages, stream: true }),
    )
    await world.simulator.arrival(streams)
    const stopped = world.gateway.stop()
    await untilRefused(world.gateway.url)
    gate.resolve()
    const answers = await Promise.all(calls)
    expect(answers.filter((answer) => answer.text.endsWith('data: [DONE]\n\n'))).toHaveLength(streams)
    expect(await stopped).toBe(0)

    await using books = openBooks(world.gateway.dataDir)
    const sums = await books.sums()
    expect(new Set((await books.charges()).map((charge) => charge.request_id))).toEqual(
      new Set(answers.map((answer) => answer.requestId)),
    )
    expect(sums.leased).toBe(0)
    expect(sums.free + sums.used).toBe(sums.credited)
  },
  30_000,
)

/** Readiness flips at once, or the door is closed already. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`, { keepalive: false }).catch(() => null)
    if (!answer?.ok) return
    await Bun.sleep(10)
  }
}
