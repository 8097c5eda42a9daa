import { expect, test } from 'bun:test'

import { faults } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { createRelayWorld } from '../../../test/relay-world'
import { rollUpMeasures } from '../../billing/analytics/measures/roll-up-measures'
import { measureDifferences } from './measure-differences'

test('calls of every kind are measured as their log rows say, before and after they are packed', async () => {
  await using world = await createRelayWorld()
  await world.setOptions({ CacheRatio: '{"gpt-4o":0.25}', RetryTimes: '0', LogErrorEnabled: 'true' })
  const { database, ledger } = world.ctx
  world.simulator.next({ promptTokens: 100, cachedTokens: 80 })
  await (await world.chat()).text()
  world.simulator.next({ promptTokens: 50 })
  await (await world.chat({ stream: true })).text()
  world.simulator.next(faults['status-429'])
  await (await world.chat()).text()
  // A call that is refused before any attempt leaves a row and is measured nowhere.
  await (await world.chat({}, { key: 'sk-unknown' })).text()
  await ledger.waitUntilApplied()
  const rows = () => database.query.selectFrom('logs').select('type').where('type', 'in', [2, 6]).execute()
  await eventually(async () => ((await rows()).length === 4 ? true : null))

  expect(await measureDifferences(database.query, 0)).toEqual([])
  while (await rollUpMeasures(database, Number.MAX_SAFE_INTEGER, 10));
  expect(await measureDifferences(database.query, 0)).toEqual([])

  await database.query.deleteFrom('usage_packs').where('pack', '=', 203).execute()
  // Without the rows of failed attempts the columns must agree on them.
  await database.query.deleteFrom('logs').where('type', '=', 6).execute()
  const checks = (await measureDifferences(database.query, 0)).map(({ check, id }) => `${check} ${id}`)
  expect(new Set(checks)).toEqual(
    new Set(['measure-calls 203', 'measure-tokens 203', 'measure-times 203', 'measure-errors 203']),
  )
})
