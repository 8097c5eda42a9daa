import { expect, setDefaultTimeout, test } from 'bun:test'

import type { RecordedRequest } from '@tollgate/simulator'

import { call, type CallResponse } from '../call'
import { databaseKinds } from '../databases'
import { metricsHeaders } from '../gateway'
import { until } from '../ledger-view'
import { responseIdIn, isServed, filterServed, startLoad, type Seen } from '../load'
import { reconcile, type Held } from '../reconcile'
import { startBalancer } from './balancer'
import { aPair, type Pair } from './pair'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
const streams = 12
const callers = 10

test.skipIf(databaseKinds.length < 2)(
  'killing one of two gateways behind one address under load cuts only its own streams',
  async () => {
    await using pair = await aPair({
      simulator: { defaults: { tokens: 20, ttftMs: 10, gapMs: 1 } },
      options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 2 } },
    })
    const { world, ledger, gate } = pair
    await using balancer = await startBalancer([world.gateway.port, pair.second.port])
    await makeLargeLeases(pair)

    const held = await holdStreams(pair, balancer.url)
    const onTheFirst = await inFlight(world.gateway)
    expect(onTheFirst).toBeWithin(1, streams)
    const load = startLoad(balancer, world.key, { model, callers, maxTokens: 20, isFresh: true })
    await load.more(60)
    // What the first gateway responds from here on is only in its journal.
    gate.hang()
    await load.more(100)
    const killedAt = performance.now()
    await world.gateway.kill()
    await untilRefused(world.gateway.url)
    const goneAt = performance.now()
    await load.more(100)
    held.finish()
    const streamed = await Promise.all(held.answers)
    const seen = await load.stop()

    // The streams of the other gateway end normally.
    expect(streamed.filter((response) => !isDone(response))).toHaveLength(onTheFirst)
    expectOnlyOwnCuts(seen, killedAt, goneAt)
    // A caller that arrived while it was dying may be cut again.
    const cut = seen.filter((call) => !isServed(call) && call.startedAt < killedAt)
    expect(cut.length).toBeLessThanOrEqual(callers)

    const reply = [...filterServed(seen), ...streamed.filter(isDone).map(responseIdsOf)]
    await whileItIsDead(pair, reply.length)
    await gate.open()
    const again = await pair.restart(world.gateway)
    expect((await ledger.charges()).length).toBeGreaterThanOrEqual(reply.length)
    const late = await call(balancer, world.key, { model, messages })
    expect(late.status).toBe(200)
    for (const gateway of [again, pair.second]) expect(await gateway.stop()).toBe(0)
    await reconcile(ledger, world.simulator, [
      ...reply,
      { requestId: late.requestId, responseId: responseIdIn(late.text, false) },
    ])
  },
)

/** Sends one large call to each gateway, which makes a lease that outlasts the outage. */
async function makeLargeLeases({ world, second }: Pair): Promise<void> {
  for (const gateway of [world.gateway, second]) {
    expect((await call(gateway, world.key, { model, messages, max_tokens: 50_000 })).status).toBe(200)
  }
}

const heldUser = 'held'
const record = (json: unknown): Record<string, unknown> => Object(json)
const isHeld = ({ json }: RecordedRequest): boolean => record(json)['user'] === heldUser

/** Starts streams that stop in the middle until they may finish. */
async function holdStreams({ world }: Pair, url: string) {
  const mayFinish = Promise.withResolvers<void>()
  world.simulator.when(isHeld, { gate: (frame) => (frame === 5 ? mayFinish.promise : undefined) })
  const before = world.simulator.requests.length
  const body = { model, messages, stream: true, user: heldUser }
  const responses = Array.from({ length: streams }, () =>
    call({ url }, world.key, body, { timeoutMs: 30_000, isFresh: true }),
  )
  await world.simulator.arrival(before + streams)
  return { answers: responses, finish: () => mayFinish.resolve() }
}

const responseIdsOf = ({ requestId, text }: CallResponse): Held => ({ requestId, responseId: responseIdIn(text, true) })

const isDone = ({ text, isBroken }: CallResponse): boolean => !isBroken && text.includes('[DONE]')

async function inFlight({ url }: { url: string }): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: metricsHeaders })).text()
  return Number(/^tollgate_calls_in_flight (\d+)$/m.exec(text)?.[1])
}

/** Resolves when the last of its processes has released the port. */
async function untilRefused(url: string): Promise<void> {
  while (await fetch(`${url}/health/live`, { keepalive: false }).catch(() => null)) await Bun.sleep(5)
}

/** Checks that every failed call was in flight when the one gateway died. */
function expectOnlyOwnCuts(seen: readonly Seen[], killedAt: number, goneAt: number): void {
  const others = seen.filter((call) => !isServed(call) && (call.startedAt > goneAt || call.endedAt < killedAt))
  expect(others).toEqual([])
}

/** Its last responses are charged only in its journal; other charges continue, and no money is missing from the books. */
async function whileItIsDead({ ledger }: Pair, reply: number): Promise<void> {
  const charges = await until(
    async () => (await ledger.charges()).length,
    (count) => count === reply,
    500,
  )
  expect(charges).toBeLessThan(reply)
  const sums = await ledger.sums()
  expect(sums.leased).toBeGreaterThan(0)
  expect(sums.free + sums.leased + sums.used).toBe(sums.credited)
}
