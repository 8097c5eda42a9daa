import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { onBothDatabases } from '../../../../test/databases'
import { aCharge, aToken, aUser, booksOf, ledgerOptions } from '../../../../test/ledger'
import { AppError } from '../../../platform/app-error'
import { openLedger } from '../open-ledger'

const amount = fc.integer({ min: 0, max: 400 })

onBothDatabases('any number of parallel calls', (world) => {
  test('parallel calls are served up to what is free, and exceed it by their own excess at most', async () => {
    const { database } = world()
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          balance: fc.integer({ min: 0, max: 2000 }),
          keyBalance: fc.option(fc.integer({ min: 0, max: 2000 })),
          calls: fc.array(fc.record({ estimate: amount, cost: amount }), { minLength: 2, maxLength: 50 }),
        }),
        async ({ balance, keyBalance, calls }) => {
          const userId = await aUser(database, balance)
          const tokenId = await aToken(database, userId, keyBalance)
          const payer = { userId, tokenId, isTokenLimited: keyBalance !== null }
          const free = Math.min(balance, keyBalance ?? Infinity)
          const ledger = await openLedger(ledgerOptions(database))
          const results = await Promise.allSettled(
            calls.map(async ({ estimate }, index) => ledger.reserve(`${userId}-${index}`, payer, estimate)),
          )
          const served = results.map((result) => (result.status === 'fulfilled' ? result.value : null))
          const held = served.reduce((sum, reservation) => sum + (reservation?.amount ?? 0), 0)
          expect(held).toBeLessThanOrEqual(free)
          const refused = calls.reduce((sum, call, index) => sum + (served[index] ? 0 : call.estimate), 0)
          let spent = 0
          let excess = 0
          for (const [index, { estimate, cost }] of calls.entries()) {
            const result = results[index]
            if (result?.status === 'rejected') {
              expect(result.reason).toBeInstanceOf(AppError)
              // No call is turned away while there is enough for all. A call that its key refuses holds the user's for that moment.
              expect(held + refused).toBeGreaterThan(free)
            }
            const reservation = served[index]
            if (!reservation) continue
            spent += cost
            excess += Math.max(0, cost - estimate)
            await ledger.charge(reservation, aCharge(cost, { userId, tokenId }))
          }
          await ledger.close()
          expect(spent).toBeLessThanOrEqual(free + excess)
          expect(await booksOf(database, userId)).toMatchObject({ free: balance - spent, used: spent, leases: 0 })
        },
      ),
      { numRuns: database.kind === 'sqlite' ? 25 : 8 },
    )
  }, 120_000)
})
