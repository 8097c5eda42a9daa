import { expect, test } from 'bun:test'

import { onBothDatabases } from '../../../../test/databases'
import { FakeTime } from '../../../../test/fake-time'
import { aUser } from '../../../../test/ledger'
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
    leases.markApplied({ userLease: '', tokenLease: '', windows: [{ series: before.key.series, drawn: [7, 1] }] })
    expect(pending()).toEqual([0, 1])
    leases.markApplied({ userLease: '', tokenLease: '', windows: [{ series: after.key.series, drawn: [7, 1] }] })
    expect(pending()).toEqual([0, 0])
  })
})
