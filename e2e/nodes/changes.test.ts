import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit } from '../ledger-audit'
import { databaseKinds } from '../databases'
import { aProcessWorld, type WorldOptions } from '../world'
import { aPair } from './pair'
import { changes, tokensOfACall, type Place } from './propagation'

/** `CHANGE_TRIES=20 bun test e2e/nodes/changes.test.ts` makes more tries and prints how long they took. */
const tries = Number(process.env['CHANGE_TRIES'] ?? 1)
setDefaultTimeout((60 + tries * 10) * 1000)

/** All workers read changes every 400 ms. Only tries by hand, on an idle machine, measure it. */
const boundMs = 1000

const options: WorldOptions = {
  simulator: { defaults: { promptTokens: tokensOfACall / 2, tokens: tokensOfACall / 2, gapMs: 0 } },
  options: { ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 1 } },
}

describe('changes', () => {
  test('every change takes effect in both workers', async () => {
    await using world = await aProcessWorld({ ...options, gateway: { workers: 2 } })
    await using ledger = openLedgerAudit(world.gateway.dataDir)
    await areInForce('two workers', { world, ledgerAudit: ledger, nodes: [world.gateway], inARow: 20 })
  })

  test.skipIf(databaseKinds.length < 2)('every change takes effect in both gateways', async () => {
    await using pair = await aPair(options)
    const nodes = [pair.world.gateway, pair.second]
    await areInForce('two gateways', { world: pair.world, ledgerAudit: pair.ledger, nodes, inARow: 3 })
  })
})

async function areInForce(where: string, place: Place): Promise<void> {
  const took = await Promise.all(
    Object.entries(changes).map(async ([name, change], index) => {
      const delays: number[] = []
      for (let turn = 0; turn < tries; turn += 1) delays.push(await change(place, `change-${index}-${turn}`))
      return { name, delays: delays.toSorted((one, other) => one - other) }
    }),
  )
  if (tries === 1) return
  for (const { name, delays } of took) process.stdout.write(`${where}: ${name}: ${summary(delays)}\n`)
  expect(took.filter(({ delays }) => delays.some((ms) => ms > boundMs))).toEqual([])
}

function summary(sorted: readonly number[]): string {
  const at = (share: number) => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`
  return `shortest ${at(0)}, median ${at(0.5)}, p90 ${at(0.9)}, longest ${at(1)} of ${sorted.length}`
}
