import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../../test/databases'
import { FakeTime } from '../../../../test/fake-time'
import { aUser } from '../../../../test/ledger'
import type { Lease } from './lease'
import { LeaseKeeper } from './lease-keeper'
import { createLeaseStore } from './lease-store'
import { noUserQuota } from './reservations'

onBothDatabases('leases of a worker', (world) => {
  test('a sweep that takes long ends no lease that began after another sweep ended the one before', async () => {
    const { database } = world()
    const clock = new FakeTime()
    const store = createLeaseStore(database, clock)
    const [slow, other] = [await aUser(database, 1000), await aUser(database, 1000)]
    const response = Promise.withResolvers<void>()
    const leases = new LeaseKeeper('worker', 'start', {
      store: {
        ...store,
        async end(key) {
          if (key.refId === slow) await response.promise
          await store.end(key)
        },
      },
      clock,
      timers: clock,
      onError: (error) => {
        throw error
      },
    })
    const reserve = (userId: number) => leases.user(userId).acquire({ max: 10, min: 10 }, noUserQuota)
    for (const userId of [slow, other]) {
      await reserve(userId)
      leases.user(userId).book.release(10)
    }
    clock.advance(2000)
    const sweep = leases.sweep()
    await leases.sweep()
    await reserve(other)
    response.resolve()
    await sweep
    const rows = await database.query.selectFrom('leases').select('ref_id').where('worker_id', '=', 'worker').execute()
    expect(rows).toEqual([{ ref_id: other }])
  })

  test('a lease that is soon used up is twice as large the next time, one that lasts is as large, and after a pause it begins anew', async () => {
    const { database } = world()
    const clock = new FakeTime()
    const store = createLeaseStore(database, clock)
    const leases = new LeaseKeeper('worker', 'start', { store, clock, timers: clock, onError: () => {} })
    const lease = leases.user(await aUser(database, 1_000_000))
    const granted: number[] = []
    for (const pauseMs of [0, 4999, 5000, 60_000]) {
      clock.advance(pauseMs)
      while (lease.covers(10)) lease.reserve(10, clock.monotonic())
      const { held } = lease.book
      await lease.acquire({ max: 10, min: 10 }, noUserQuota)
      granted.push(lease.book.held - held)
    }
    expect(granted).toEqual([170, 330, 330, 170])
  })

  test('a charge is marked at the lease that it was drawn from, also after the worker lost that lease', () => {
    const clock = new FakeTime()
    const store = createLeaseStore(world().database, clock)
    const leases = new LeaseKeeper('worker', 'start', { store, clock, timers: clock, onError: () => {} })
    const charge = () => {
      const lease = leases.window(7)
      lease.book.reserve(1)
      lease.book.charge(1, 1)
      return lease
    }
    const before = charge()
    leases.forfeitAll()
    const after = charge()
    const pending = () => [before.book.pending, after.book.pending]
    const markApplied = ({ key: { series } }: Lease) =>
      leases.markApplied([{ userLease: '', tokenLease: '', windows: [`7q ${series}`] }])
    markApplied(before)
    expect(pending()).toEqual([0, 1])
    markApplied(after)
    expect(pending()).toEqual([0, 0])
  })
})
