import { userRoutes } from '@tollgate/contract'
import { expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit } from './ledger-audit'
import { call } from './call'
import { databaseKinds, freshDatabase } from './databases'
import { startGateway, type Gateway } from './gateway'
import { aPayer } from './payer'
import { aProcessWorld, untilAllKnow } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const fortune = 50_000_000
const messages = [{ role: 'user', content: 'hello' }]
const clients = 4
const callsBefore = 20
/** Several for each worker, whichever gets them. */
const callsAfter = 30

const settings = [
  { kind: 'sqlite', workers: 2, gateways: 1 },
  { kind: 'postgres', workers: 1, gateways: 2 },
] as const

for (const { kind, workers, gateways } of settings.filter((setting) => databaseKinds.includes(setting.kind))) {
  test(`a balance cut under load serves no call that begins afterwards: ${kind}, ${workers} workers, ${gateways} gateways`, async () => {
    await using database = await freshDatabase(kind)
    const shared = { workers, databaseUrl: database.url, env: { SECRET_KEY: 'the same for every one of the gateways' } }
    await using world = await aProcessWorld({
      gateway: shared,
      simulator: { defaults: { tokens: 20, ttftMs: 10 } },
      options: { ModelRatio: { [model]: 100 }, CompletionRatio: { [model]: 1 } },
    })
    await using others = new AsyncDisposableStack()
    const all: Gateway[] = [world.gateway]
    while (all.length < gateways) all.push(others.use(await startGateway(shared)))
    const payer = await aPayer(world.gateway.url, world.console, 'cut', fortune)
    const key = await payer.addToken({ name: 'cut' })
    for (const gateway of all) await untilAllKnow(gateway, key, [model])
    let calls = 0
    const callOnce = (body: object = {}) =>
      call(
        all[(calls += 1) % all.length] ?? world.gateway,
        key,
        { model, messages, max_tokens: 50, ...body },
        { isFresh: true },
      )

    // Its reservation keeps a lease open on one of the workers.
    world.simulator.next({ tokens: 60, gapMs: 100 })
    const stream = callOnce({ stream: true })
    const state = { isCut: false }
    const callUntilCut = async () => {
      while (!state.isCut) await callOnce()
    }
    const load = Array.from({ length: clients }, callUntilCut)
    for (let started = 0; started < callsBefore; started += 1) await callOnce()
    await world.console.call(userRoutes.updateUser, { body: { id: payer.userId, quota: 0 } })
    state.isCut = true
    const after = []
    for (let turn = 0; turn < callsAfter; turn += 1) after.push((await callOnce()).status)
    expect(new Set(after)).toEqual(new Set([403]))
    await Promise.all(load)
    expect((await stream).status).toBe(200)
    await others.disposeAsync()
    expect(await world.gateway.stop()).toBe(0)

    await using ledger = openLedgerAudit(world.gateway.dataDir, database.url)
    const sums = await ledger.sums()
    expect([sums.leased, sums.free + sums.used]).toEqual([0, sums.credited])
  })
}
