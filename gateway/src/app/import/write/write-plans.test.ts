import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { kinds } from '../../../../test/kinds'
import { createRelayWorld, type RelayWorld } from '../../../../test/relay-world'
import { sampleKeys } from '../../../../test/sample-sites/rows'
import { createSampleFile } from '../../../../test/sample-sites/statements'
import { newApiSite } from '../../../../test/sample-sites/new-api'
import { differencesIn } from '../../commands/differences'
import { familySource } from '../family/family-source'
import { importSite } from '../import-site'
import { Report } from '../report'
import { openSource } from '../source/open-source'

setDefaultTimeout(60_000)

describe.each(kinds)('plans of new-api (%s)', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
  let world: RelayWorld
  let text: string
  beforeAll(async () => {
    world = await createRelayWorld({ kind, isEmpty: true })
    const { ctx } = world
    const path = join(folder, 'old.db')
    createSampleFile(newApiSite, path)
    const at = ctx.clock.seconds()
    const source = await familySource(await openSource(path), at)
    const report = new Report()
    await ctx.database.longRunning
      .transaction()
      .execute((transaction) => importSite(source, 'sample', { ...ctx, transaction, at, report }))
    text = [...report.lines(), ...(await source.leftBehind())].join('\n')
    await source.close()
    await ctx.catalog.rebuild()
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('plans have their quota as a limit, and are sold where they can be had as they were', async () => {
    const { query } = world.ctx.database
    expect(await query.selectFrom('plans').selectAll().orderBy('id').execute()).toMatchObject([
      { id: 1, name: 'Pro', description: 'For teams', price: 4_995_000, length: 1, unit: 'month', is_on_sale: 1 },
      { id: 2, name: 'Pro #2', length: 7, unit: 'day', is_on_sale: 1, preference: 'plan_only' },
      { id: 3, name: '#3', price: 0, is_on_sale: 0 },
      { id: 4, name: 'Free', price: 0, is_on_sale: 0, max_per_user: 2 },
      { id: 5, name: 'Old', price: 4_995_000, is_on_sale: 0, preference: 'plan_first', max_per_user: 100 },
    ])
    const windows = await query.selectFrom('windows').selectAll().orderBy('ref').execute()
    expect(
      windows.map((window) => [window.owner, window.ref, window.limit_amount, window.span, window.seconds]),
    ).toEqual([
      ['plan', '1', 100_000, 'month', 0],
      ['plan', '2', 100_000, 'day', 0],
      ['plan', '3', 100_000, 'always', 0],
      ['plan', '5', 100_000, 'seconds', 3600],
    ])
    for (const part of [
      'plans: 5',
      'subscriptions: 4',
      'its price is in another currency (1): (no name) #3',
      'it costs nothing, and anyone could begin it (1): Free #4',
      'moved their users to a group, which plans here do not: users stay in theirs (1): Free #4',
      '1 log rows without a time',
      'whose user or plan is gone, left out (2): #13 of user #99, #14 of user #2',
      'who stay in it when that ends (1): ann #2',
      'with more left than their plan has, which have what it has (1): #9',
      '2 subscriptions that have ended',
    ])
      expect(text).toContain(part)
  })

  test('subscriptions that run have what was left of them, and pay for calls', async () => {
    const { query } = world.ctx.database
    const rows = await query.selectFrom('subscriptions').selectAll().orderBy('id').execute()
    expect(rows.map(({ id, plan_id, source, price, renews }) => [id, plan_id, source, price, renews])).toEqual([
      [7, 1, 'order', 0, 0],
      [8, 3, 'admin', 0, 0],
      [9, 2, 'order', 0, 0],
      [10, 4, 'order', 0, 0],
    ])
    const periods = await query.selectFrom('window_periods').selectAll().orderBy('subject_id').execute()
    expect(periods.map(({ subject_id: id, capacity, free }) => [id, capacity, free])).toEqual([
      [7, 100_000, 70_000],
      [8, 100_000, 0],
      [9, 100_000, 100_000],
    ])
    await query.deleteFrom('subscriptions').where('id', '!=', 7).execute()
    await world.changeChannel(1, { base_url: world.simulator.url })
    const before = await world.balanceOf(2)
    const response = await world.chat({}, { key: `sk-${sampleKeys.ann}` })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('content')])
    expect(await world.balanceOf(2)).toBe(before)
    const [charged] = await world.chargesOf(2, 1)
    const [paid] = await query.selectFrom('subscriptions').select('used').where('id', '=', 7).execute()
    expect([charged?.quota, paid?.used].map((quota) => (quota ?? 0) > 0)).toEqual([true, true])
    expect(await differencesIn(query, world.ctx.clock.seconds())).toEqual([])
  })
})
