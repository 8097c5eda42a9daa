import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as fc from 'fast-check'

import { onDatabase } from '../../test/databases'
import { Simulation, type Step } from '../../test/ledger-simulation'

const slot = fc.integer({ min: 0, max: 1 })
const user = fc.integer({ min: 0, max: 1 })
const pick = fc.nat(20)
const calls = fc.integer({ min: 1, max: 14 })
const hasEffect = fc.boolean()
const amount = fc.integer({ min: 0, max: 120 })

interface Reserving {
  readonly kind: 'reserve'
  readonly slot: number
  readonly user: number
  readonly want: readonly [number, number]
}
const reserved = ({ want, ...rest }: Reserving): Step => ({
  ...rest,
  estimate: Math.max(...want),
  least: Math.min(...want),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ kind: fc.constant('reserve' as const), slot, user, want: fc.tuple(amount, amount) })
      .map(reserved),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('extend' as const), pick, amount: fc.integer({ min: 1, max: 120 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('charge' as const), pick, cost: amount, isLogged: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('release' as const, 'end twice' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      user,
      amount: fc.integer({ min: 1, max: 200 }),
      repeats: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('adjust' as const), user, quota: fc.nat(500) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('sweep' as const, 'beat' as const), slot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 2500, 70_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), slot, calls, hasEffect }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fault' as const), slot, calls, hasEffect }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), slot }) },
)

// SQLite's statements are tried hundreds of thousands of times by simulation.test.ts, which cannot hold a PostgreSQL still.
onDatabase('postgres', 'the laws of the ledger', (world) => {
  test('hold at every step, whatever fails and whoever dies', async () => {
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'tollgate-laws-'))
        try {
          const simulation = new Simulation(world(), folder)
          await simulation.start()
          for (const each of steps) await simulation.take(each)
          await simulation.finish()
          taken += steps.length
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      }),
      { numRuns: 60 },
    )
    expect(taken).toBeGreaterThan(1000)
  }, 180_000)
})
