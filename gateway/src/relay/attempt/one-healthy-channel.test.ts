import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { faults, type FaultName } from '@tollgate/simulator'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { FakeTime } from '../../../test/fake-time'
import { outlasting } from '../../../test/outlasting'

/** Run more calls by hand: `FAILOVER_CALLS=300 bun test gateway/src/relay/attempt/one-healthy-channel.test.ts`. */
const calls = Number(process.env['FAILOVER_CALLS'] ?? 60)
const atOnce = 6
const firstByteMs = 60_000

const time = new FakeTime()
let world: RelayWorld
beforeAll(async () => {
  // The settings of a new installation, except that whole responses begin as soon as streams.
  const FIRST_BYTE_TIMEOUT_WHOLE = String(firstByteMs / 1000)
  const environment = { FIRST_BYTE_TIMEOUT: FIRST_BYTE_TIMEOUT_WHOLE, FIRST_BYTE_TIMEOUT_WHOLE }
  world = await createRelayWorld({ time, environment })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  world.forgetHealth()
})

/** An address on which nothing listens any more. */
async function closedAddress(): Promise<string> {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  server.stop(true)
  return `http://127.0.0.1:${server.port}`
}

/** How one of two equal channels fails. */
const failures: readonly (readonly [string, FaultName | null])[] = [
  ['refuses the connection', null],
  ['resets the connection', 'reset-before-headers'],
  ['hangs before its first byte', 'stall-before-headers'],
  ['refuses the key', 'status-401'],
  ['does not know the model', 'status-404'],
  ['runs out of time itself', 'status-408'],
  ['has too many calls', 'status-429'],
  ['fails', 'status-500'],
  ['is overloaded', 'status-503'],
  ['answers 200 with an error', 'code-in-200'],
  ['answers 200 with nothing', 'nothing-in-200'],
  ['tells an error behind the start of its stream', 'error-after-start'],
  ['dies behind the start of its stream', 'reset-after-start'],
  ['ends behind the start of its stream', 'cut-after-start'],
]

const outcomeOf = async (isStream: boolean) => {
  const response = await world.chat({ stream: isStream })
  const text = await response.text()
  const isWhole = isStream ? text.endsWith('data: [DONE]\n\n') : text.includes('"finish_reason":"stop"')
  return response.status === 200 && isWhole ? 'answered' : `${response.status} ${text}`
}

describe('one of two equal channels fails', () => {
  test.each(failures)(`%s costs none of ${calls} responses`, async (_, fault) => {
    const base_url = fault === null ? await closedAddress() : world.simulator.url
    const id = await world.addChannel({ base_url, key_sealed: world.ctx.seal.seal('sk-failing') })
    if (fault) world.simulator.when(({ apiKey }) => apiKey === 'sk-failing', faults[fault])
    const before = (await world.logs()).length
    const outcomes: string[] = []
    for (let call = 0; call < calls; call += atOnce) {
      const earlier = world.simulator.requests.length
      const some = Array.from({ length: atOnce }, (_, index) => outcomeOf((call + index) % 2 === 0))
      outcomes.push(...(await outlasting(some, { time, simulator: world.simulator, ms: firstByteMs, earlier })))
    }
    const rows = (await world.logs()).slice(before)
    await world.changeChannel(id, { status: 2 })
    expect(new Set(outcomes)).toEqual(new Set(['answered']))
    // Each is charged once, to the healthy one.
    expect(rows.map(({ channel_id }) => channel_id)).toEqual(outcomes.map(() => 1))
  })
})

describe('a preferred channel fails before a healthy one', () => {
  test.each([
    ['refuses the connection', null],
    ['fails', 'status-500'],
    ['answers 200 with an error', 'code-in-200'],
    ['dies behind the start of its stream', 'reset-after-start'],
  ] as const)('%s fails none of the calls that come once a minute', async (_, fault) => {
    const base_url = fault === null ? await closedAddress() : world.simulator.url
    const key_sealed = world.ctx.seal.seal('sk-failing')
    const id = await world.addChannel({ base_url, priority: 5, key_sealed })
    if (fault) world.simulator.when(({ apiKey }) => apiKey === 'sk-failing', faults[fault])
    const outcomes: string[] = []
    for (let minute = 0; minute < calls / 2; minute += 1) {
      outcomes.push(await outcomeOf(minute % 2 === 0))
      time.advance(60_000)
    }
    await world.changeChannel(id, { status: 2 })
    expect(new Set(outcomes)).toEqual(new Set(['answered']))
  })
})
