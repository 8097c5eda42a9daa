import { expect, test } from 'bun:test'

import { createClock } from '../time/clock'
import { onBothDatabases } from '../../../test/databases'
import { systemTimers } from '../time/timers'
import { Changes, type Change } from './changes'

onBothDatabases('announcements of changes', (world) => {
  test('a topic of a later release is skipped, and what follows is delivered', async () => {
    const { database } = world()
    const { query } = database
    const changes = new Changes({
      database,
      clock: createClock(
        () => 1_700_000_000_000,
        () => 0,
      ),
      timers: systemTimers,
      onError: (error) => {
        throw error
      },
    })
    const heard: Change[] = []
    changes.listen((news) => void heard.push(...news))
    const announce = (change: Change) =>
      query.transaction().execute((transaction) => changes.announce(change, transaction))
    await changes.deliver()
    heard.length = 0

    await announce({ topic: 'user', refId: 8 })
    await query.updateTable('changes').set({ topic: 'weather' }).where('ref_id', '=', 8).execute()
    await announce({ topic: 'token', refId: 9 })
    await changes.deliver()
    expect(heard).toEqual([{ topic: 'token', refId: 9 }])

    await changes.deliver()
    expect(heard).toHaveLength(1)
  })
})
