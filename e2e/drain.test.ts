import { expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit } from './ledger-audit'
import { call, eventsIn, type CallResponse } from './call'
import { until } from './ledger-view'
import { aProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
const streams = 40
const options = { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } }

test('SIGTERM cuts no stream and leaves nothing uncharged', async () => {
  await using world = await aProcessWorld({ gateway: { workers: 2, env: { SHUTDOWN_DELAY: '2' } }, options })
  const { gateway, simulator } = world
  const gate = Promise.withResolvers<void>()
  simulator.when(() => true, { tokens: 10, gate: (frame) => (frame === 5 ? gate.promise : undefined) })
  const calls = Array.from({ length: streams }, () => call(gateway, world.key, { model, messages, stream: true }))
  await simulator.arrival(streams)
  const stopped = gateway.stop()

  // Readiness turns red while the port is still open, and balancers that have not noticed are still served.
  const ready = () => fetch(`${gateway.url}/health/ready`, { keepalive: false })
  const turned = await until(ready, ({ status }) => status === 503)
  expect(turned.status).toBe(503)
  expect(await turned.json()).toEqual({ status: 'draining' })
  const late = await call(gateway, world.key, { model, messages }, { isFresh: true })
  expect(late.status).toBe(200)
  const isRefused = () =>
    ready().then(
      () => false,
      () => true,
    )
  expect(await until(isRefused, (isRefused) => isRefused)).toBe(true)

  gate.resolve()
  const responses = await Promise.all(calls)
  expect(responses.filter((response) => response.text.endsWith('data: [DONE]\n\n'))).toHaveLength(streams)
  expect(await stopped).toBe(0)
  await expectCharged(gateway.dataDir, [...responses, late])
})

test('calls that outlast SHUTDOWN_TIMEOUT get an error and pay for what they received', async () => {
  await using world = await aProcessWorld({ gateway: { env: { SHUTDOWN_TIMEOUT: '1' } }, options })
  const { gateway, simulator } = world
  const never = new Promise<void>(() => {})
  const isStream = ({ isStream }: { isStream: boolean }) => isStream
  simulator.when(() => true, { ttftMs: 60_000 })
  simulator.when(isStream, { tokens: 10, gate: (frame) => (frame === 5 ? never : undefined) })
  const send = (stream: boolean, path?: string) =>
    call(gateway, world.key, { model, messages, max_tokens: 100, stream }, { path })
  const openAi = Array.from({ length: 4 }, () => send(true))
  const anthropic = Array.from({ length: 4 }, () => send(true, '/v1/messages'))
  const whole = Array.from({ length: 4 }, () => send(false))
  await simulator.arrival(12)
  expect(await gateway.stop()).toBe(0)

  for (const { status, isBroken, text } of await Promise.all(openAi)) {
    expect({ status, isBroken }).toEqual({ status: 200, isBroken: false })
    expect(text).not.toContain('[DONE]')
    expect(eventsIn(text).at(-1)).toMatchObject({ error: { code: 'gateway.draining' } })
  }
  for (const { status, isBroken, text } of await Promise.all(anthropic)) {
    expect({ status, isBroken }).toEqual({ status: 200, isBroken: false })
    expect(text).not.toContain('message_stop')
    expect(eventsIn(text).at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
  }
  for (const { status, retryAfter, text } of await Promise.all(whole)) {
    expect({ status, retryAfter, ...JSON.parse(text) }).toMatchObject({
      status: 503,
      retryAfter: '1',
      error: { code: 'gateway.draining' },
    })
  }
  const logs = await expectCharged(gateway.dataDir, [...(await Promise.all(openAi)), ...(await Promise.all(anthropic))])
  for (const { completion_tokens: tokens } of logs) expect(tokens).toBeWithin(1, 10)
})

/** Checks that exactly these calls are charged, once each, and that no lease is open. */
async function expectCharged(dataDir: string, responses: readonly CallResponse[]) {
  await using ledgerAudit = openLedgerAudit(dataDir)
  const charges = await ledgerAudit.charges()
  expect(charges.map((charge) => charge.request_id).toSorted()).toEqual(
    responses.map((response) => response.requestId).toSorted(),
  )
  const sums = await ledgerAudit.sums()
  expect(sums.leased).toBe(0)
  expect(sums.free + sums.used).toBe(sums.credited)
  return await ledgerAudit.logs()
}
