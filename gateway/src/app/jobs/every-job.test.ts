import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { kinds } from '../../../test/kinds'
import { anEntry, aUser } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { jobsOf } from './job-table'

const names = [
  'ask-vendor-balances',
  'notify-operators',
  'prune-events',
  'watch-spending',
  'watch-margins',
  'check-release',
  'deliver-messages',
  'export-logs',
  'deliver-webhooks',
  'fold-measures',
  'fold-usage',
  'make-backups',
  'poll-tasks',
  'prune-results',
  'prune-changes',
  'prune-sessions',
  'prune-sign-ins',
  'prune-flows',
  'prune-answers',
  'prune-keyed-acts',
  'prune-vendor-objects',
  'prune-turns',
  'remove-files',
  'prune-messages',
  'prune-charges',
  'prune-windows',
  'prune-mails',
  'prune-webhooks',
  'partition-logs',
  'retain-audit',
  'retain-logs',
  'retain-sums',
  'pursue-orders',
  'pursue-refunds',
  'seal-credentials',
  'send-mails',
  'end-expiring-quota',
  'renew-plans',
  'settle-commissions',
  'settle-invitations',
  'store-results',
  'sync-prices',
  'test-channels',
  'watch-balances',
  'watch-limits',
]

/** A real clock is hardly ever at a whole second, and PostgreSQL refuses a fraction where SQLite compares it. */
const oddMs = 1_800_000_000_123

describe.each(kinds)('every job (%s)', (kind) => {
  const time = new FakeTime(oddMs)
  let world: World

  beforeAll(async () => {
    world = await createWorld({ kind, clock: time })
    const { ledger, database } = world.ctx
    const userId = await aUser(database, 1000)
    const reservation = await ledger.reserve('call', { userId, tokenId: 0, isTokenLimited: false }, 10)
    const measures = { wholeMs: 1500, firstTokenMs: null, cachedTokens: 0, cacheSaved: 0 }
    const entry = anEntry({ userId, createdAt: time.seconds(), measures })
    await ledger.charge(reservation, { cost: 3, isLogged: true, entry })
    await ledger.waitUntilApplied()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each(names)('%s succeeds at odd milliseconds, at once and a day later', async (name) => {
    const job = jobsOf(world.ctx).find((known) => known.name === name)
    if (!job) throw new Error(`There is no job ${name}`)
    const { signal } = new AbortController()
    expect(await job.run(signal)).toBeUndefined()
    time.advance(25 * 3_600_000 + 77)
    expect(await job.run(signal)).toBeUndefined()
  })

  test('there is no job beyond those of this table', () => {
    expect(
      jobsOf(world.ctx)
        .map((job) => job.name)
        .toSorted(),
    ).toEqual(names.toSorted())
  })
})
