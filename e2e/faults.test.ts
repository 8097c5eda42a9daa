import { afterAll, beforeAll, describe, expect, test, setDefaultTimeout } from 'bun:test'

import { faults, type FaultName } from '@tollgate/simulator'

import { HurriedTime } from '../gateway/test/hurried-time'
import { call, eventsIn, type CallResponse } from './call'
import { chargeOf, chargesOf } from './ledger-view'
import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

/**
 * Acceptable outcomes: `another` channel serves, the client gets one clear `error`, either of them (`clean`), what came is `delivered`, the
 * call ends one way or another (`ends`), or all is `well`.
 */
type Expected = 'another' | 'error' | 'clean' | 'delivered' | 'ends' | 'well'

const always = (expected: Expected) => ({ whole: expected, stream: expected })

const expectations: Record<FaultName, { whole: Expected; stream: Expected }> = {
  'status-400': always('error'),
  'status-401': always('another'),
  'status-402': always('another'),
  'status-403': always('another'),
  'status-404': always('another'),
  'status-408': always('another'),
  'status-413': always('another'),
  'status-429': always('another'),
  'status-429-absurd': always('another'),
  'status-500': always('another'),
  'status-502': always('another'),
  'status-503': always('another'),
  'status-504': always('another'),
  'status-524': always('another'),
  'status-500-html': always('another'),
  'status-500-empty': always('another'),
  'status-500-text': always('another'),
  'status-500-message': always('another'),
  'error-in-200': always('another'),
  'error-after-frames': { whole: 'another', stream: 'delivered' },
  'error-after-start': always('another'),
  'code-in-200': always('another'),
  'unsuccessful-200': always('another'),
  'base-resp-200': always('another'),
  'error-code-200': always('another'),
  'nothing-in-200': always('another'),
  'malformed-json': always('another'),
  'html-200': always('another'),
  'empty-200': always('another'),
  'null-200': always('another'),
  'array-200': always('another'),
  'endless-body': always('another'),
  'endless-line': always('another'),
  'gzip-bomb': always('another'),
  redirect: always('another'),
  'no-http': always('another'),
  'two-lengths': always('another'),
  'no-colon': always('another'),
  'bad-chunk': always('another'),
  'bad-gzip': always('another'),
  'truncated-json': { whole: 'another', stream: 'delivered' },
  'malformed-frame': { whole: 'well', stream: 'delivered' },
  'reset-before-headers': always('another'),
  'reset-after-headers': always('another'),
  'reset-mid-body': { whole: 'another', stream: 'delivered' },
  'reset-mid-stream': { whole: 'another', stream: 'delivered' },
  'cut-mid-stream': { whole: 'another', stream: 'delivered' },
  'cut-mid-body': { whole: 'another', stream: 'delivered' },
  'cut-after-start': always('another'),
  'reset-after-start': always('another'),
  'stall-after-start': always('another'),
  'stall-before-headers': always('another'),
  'stall-after-headers': always('another'),
  'stall-mid-stream': { whole: 'another', stream: 'delivered' },
  'slow-drip': { whole: 'clean', stream: 'ends' },
  'no-usage': always('well'),
  'duplicate-usage': always('well'),
  'usage-every-chunk': always('well'),
  'usage-last-choice': always('well'),
  'usage-negative': always('well'),
  'usage-huge': always('well'),
  'usage-text': always('well'),
  'usage-fraction': always('well'),
  'usage-null': always('well'),
  'usage-list': always('well'),
  'usage-prompt-only': always('well'),
  'usage-completion-only': always('well'),
  'usage-completion-zero': always('well'),
  'usage-sum-differs': always('well'),
  'usage-zero': always('well'),
  'usage-impossible': always('well'),
  'no-done': always('well'),
  'huge-frame': always('well'),
  'split-frames': always('well'),
  'joined-frames': always('well'),
  crlf: always('well'),
  comments: always('well'),
  gzip: always('well'),
  'unknown-fields': always('well'),
}

const names = Object.keys(faults) as FaultName[]
const modes = ['whole', 'stream'] as const
const modelOf = (fault: FaultName, mode: string) => `${fault}-${mode}`
const models = names.flatMap((fault) => modes.map((mode) => modelOf(fault, mode)))

let world: World
const time = new HurriedTime()
beforeAll(async () => {
  world = await aWorld({
    models,
    simulator: { after: time.after },
    // Short for a test, and the longest leaves time for another channel on a machine that stands still for seconds.
    gateway: {
      ...time.parts,
      env: { FIRST_BYTE_TIMEOUT: '2', FIRST_BYTE_TIMEOUT_WHOLE: '2', STREAM_IDLE_TIMEOUT: '1', REQUEST_TIMEOUT: '12' },
    },
    options: { RetryTimes: 2, ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) },
  })
})
beforeAll(saveRetries)
afterAll(() => world[Symbol.asyncDispose]())

/** Faults that end by a timeout: their tests wait together. */
const isSilent = (fault: FaultName) => fault.startsWith('stall-') || fault === 'slow-drip'

for (const fault of names) {
  for (const mode of modes) {
    const expected = expectations[fault][mode]
    describe(fault, () => {
      ;(isSilent(fault) ? test.concurrent : test)(`${mode}: ${expected}`, () => meets(fault, mode, expected), 60_000)
    })
  }
}

/** Retries are limited to a share of all calls, so successful calls first build up the budget. */
async function saveRetries(): Promise<void> {
  const body = { model: modelOf('comments', 'whole'), messages: [{ role: 'user', content: 'hello' }] }
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.all(Array.from({ length: 25 }, () => call(world.gateway, world.key, body)))
  }
}

/** Uses a channel of its own for each fault, so that circuit breakers do not interfere. */
async function meets(fault: FaultName, mode: (typeof modes)[number], expected: Expected): Promise<void> {
  const model = modelOf(fault, mode)
  const key = `sk-${model}`
  await world.console.addChannel({ name: model, base_url: world.simulator.url, models: model, key, priority: 10 })
  world.simulator.when((request) => request.apiKey === key, faults[fault])
  const messages = [{ role: 'user', content: 'hello' }]
  const body = { model, messages, stream: mode === 'stream' }
  const calling = call(world.gateway, world.key, body, { timeoutMs: 40_000 })
  const response = await (isSilent(fault) ? time.hurry(calling) : calling)
  expect(response.requestId).not.toBe('')
  await checks[expected](response, mode)
}

const checks: Record<Expected, (response: CallResponse, mode: string) => Promise<void>> = {
  async another(response, mode) {
    expectWhole(response, mode)
    expect((await chargeOf(world.console, response.requestId)).channel).toBe(world.channelId)
  },
  async well(response, mode) {
    expectWhole(response, mode)
    const row = await chargeOf(world.console, response.requestId)
    expect(row.channel).not.toBe(world.channelId)
    expect(row.quota).toBeWithin(1, 3_000_000)
  },
  async error(response) {
    expect(response.status).toBeGreaterThanOrEqual(400)
    expectError(JSON.parse(response.text))
    expect(await chargesOf(world.console, response.requestId)).toEqual([])
  },
  clean: (response, mode) => checks[response.status === 200 ? 'another' : 'error'](response, mode),
  ends: (response, mode) => checks[response.status === 200 ? 'delivered' : 'error'](response, mode),
  async delivered(response) {
    expect(response.status).toBe(200)
    await chargeOf(world.console, response.requestId)
  },
}

function expectWhole(response: CallResponse, mode: string): void {
  expect(response.status).toBe(200)
  expect(response.isBroken).toBe(false)
  const choices =
    mode === 'stream' ? eventsIn(response.text).flatMap((event) => event['choices']) : [JSON.parse(response.text)]
  expect(choices.length).toBeGreaterThan(0)
}

function expectError(body: unknown): void {
  expect(body).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } })
}
