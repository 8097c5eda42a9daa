import { expect, test } from 'bun:test'

import { pino } from 'pino'

import { createClock } from '../../platform/time/clock'
import { onBothDatabases } from '../../../test/databases'
import { Changes } from '../../platform/store/changes'
import { createSeal } from '../../platform/store/seal'
import { systemTimers } from '../../platform/time/timers'
import { CatalogStore } from './catalog-store'

const clock = createClock(
  () => 1_700_000_000_000,
  () => 0,
)

onBothDatabases('the catalog', (world) => {
  const seal = createSeal(new Uint8Array(32))
  const log = pino({ level: 'silent' })
  const changesOf = () =>
    new Changes({
      database: world().database,
      clock,
      timers: systemTimers,
      onError: (error) => {
        throw error
      },
    })

  test('the store follows changes, on the worker that wrote them and on others', async () => {
    const { query } = world().database
    const [writer, reader] = [changesOf(), changesOf()]
    const own = await CatalogStore.open({ database: world().database, seal, changes: writer, log })
    const other = await CatalogStore.open({ database: world().database, seal, changes: reader, log })
    expect(own.current.routes.size).toBe(0)
    expect(own.current.options.RetryTimes).toBe(3)

    await query.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('channels')
        .values({ type: 1, name: 'c', key_sealed: seal.seal('sk-x'), models: 'gpt-4o', created_time: 1 })
        .execute()
      await transaction
        .insertInto('options')
        .values([
          { key: 'RetryTimes', value: '4' },
          { key: 'EpayKey', value: seal.seal('secret') },
          { key: 'GitHubClientSecret', value: 'not sealed' },
          { key: 'Price', value: 'nonsense' },
          { key: 'gone', value: '1' },
        ])
        .execute()
      await writer.announce({ topic: 'catalog', refId: 0 }, transaction)
    })
    await writer.deliver()
    await reader.deliver()

    for (const store of [own, other]) {
      const { options, routes, revision } = store.current
      expect(revision).toBe(2)
      expect([options.RetryTimes, options.EpayKey, options.GitHubClientSecret, options.Price]).toEqual([
        4,
        'secret',
        '',
        7.3,
      ])
      expect(routes.get('default')?.get('gpt-4o')?.[0]?.candidates[0]?.channel.keys[0]?.value).toBe('sk-x')
    }
  })

  test('the store keeps the snapshot that a call holds and gives the next one a higher revision', async () => {
    const store = await CatalogStore.open({ database: world().database, seal, changes: changesOf(), log })
    const held = store.current
    await Promise.all([store.rebuild(), store.rebuild()])
    expect(held.revision).toBe(1)
    expect(store.current.revision).toBeGreaterThan(held.revision)
    expect(store.current).not.toBe(held)
  })
})
