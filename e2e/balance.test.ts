import { expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit } from './ledger-audit'
import { call, type CallResponse } from './call'
import { databaseKinds, freshDatabase } from './databases'
import { startGateway, type Gateway } from './gateway'
import { aPayer } from './payer'
import { aProcessWorld, untilAllKnow, type ProcessWorld } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const promptTokens = 6
const responseTokens = 900
const cost = promptTokens + responseTokens
const messages = [{ role: 'user', content: 'hello' }]

const settings = [
  { kind: 'sqlite', workers: 2, gateways: 1 },
  { kind: 'postgres', workers: 1, gateways: 2 },
] as const

for (const { kind, workers, gateways } of settings.filter((setting) => databaseKinds.includes(setting.kind))) {
  test(`50 simultaneous calls on a balance for one are served once: ${kind}, ${workers} workers, ${gateways} gateways`, async () => {
    await using database = await freshDatabase(kind)
    const shared = { workers, databaseUrl: database.url, env: { SECRET_KEY: 'the same for every one of the gateways' } }
    await using world = await aProcessWorld({
      gateway: shared,
      simulator: { defaults: { tokens: responseTokens, promptTokens, ttftMs: 50 } },
      options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 }, PreConsumedQuota: '500' },
    })
    await using others = new AsyncDisposableStack()
    const all: Gateway[] = [world.gateway]
    while (all.length < gateways) all.push(others.use(await startGateway(shared)))
    for (const gateway of all) await untilAllKnow(gateway, world.key, [model])

    // The whole cost is reserved up front: a caller whose balance does not cover it is not served.
    const bounded = await fiftyAtOnce(world, all, {
      name: 'bounded',
      funds: 1000,
      fields: { max_tokens: responseTokens },
    })
    // The smallest reservation is PreConsumedQuota, and the response is limited to what that pays for.
    const unbounded = await fiftyAtOnce(world, all, { name: 'unbounded', funds: 600, fields: {} })
    await expectShapes(all[0] ?? world.gateway, unbounded.key)
    expect(world.simulator.served.total.requests).toBe(2)

    for (const gateway of all) expect(await gateway.stop()).toBe(0)
    await using ledger = openLedgerAudit(world.gateway.dataDir, database.url)
    expect(await ledger.user('bounded')).toEqual({ free: 1000 - cost, used: cost })
    const { used } = await ledger.user('unbounded')
    expect(used).toBeGreaterThan(400)
    expect(used).toBeLessThanOrEqual(500)
    expect(await ledger.user('unbounded')).toEqual({ free: 600 - used, used })
    const sums = await ledger.sums()
    expect(sums.charged).toBe(cost + used)
    expect(sums.leased).toBe(0)
    expect(sums.free + sums.used).toBe(sums.credited)
    expect(bounded.key).not.toBe(unbounded.key)
  })
}

interface Burst {
  readonly name: string
  readonly funds: number
  readonly fields: object
}

/** Sends the calls of one user with this balance to all gateways in turn. */
async function fiftyAtOnce(world: ProcessWorld, gateways: readonly Gateway[], { name, funds, fields }: Burst) {
  const user = await aPayer(world.gateway.url, world.console, name, funds)
  const key = await user.addToken({ name })
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      call(gateways[index % gateways.length] ?? world.gateway, key, { model, messages, ...fields }),
    ),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = responses.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(49)
  for (const response of refused) expectError(response, { type: 'insufficient_quota', code: 'insufficient_quota' })
  return { key }
}

/** Checks how each dialect words the refusal. */
async function expectShapes(gateway: Gateway, key: string): Promise<void> {
  const anthropic = await call(gateway, key, { model, messages, max_tokens: 300 }, { path: '/v1/messages' })
  expectError(anthropic, { type: 'billing_error' })
  const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
  const gemini = await call(gateway, key, { contents }, { path: `/v1beta/models/${model}:generateContent` })
  expectError(gemini, { code: 403, status: 'PERMISSION_DENIED' })
}

const expectError = ({ status, text }: CallResponse, error: object) =>
  expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 403, error })
