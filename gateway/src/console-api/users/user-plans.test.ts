import { beforeAll, expect, test } from 'bun:test'

import { role } from '@tollgate/contract'
import { sql } from 'kysely'

import { callerOf } from '../../../test/calls'
import { onBothDatabases } from '../../../test/databases'
import { FakeTime } from '../../../test/fake-time'
import { recordQueries } from '../../../test/plans'
import type { Context } from '../../context'
import { findUsers } from './find-users'

const questions = {
  'the list': {},
  'a late page': { p: 30 },
  'a page near the end': { p: 58 },
  'a search': { keyword: 'ann7' },
  'a search for an id': { keyword: '7' },
  'a group': { group: 'vip' },
  'a search in a group': { group: 'vip', keyword: 'ann' },
}

const noBalances = { balanceOf: () => Promise.resolve(new Map()) }

onBothDatabases('users are found and counted in an index alone', (world) => {
  beforeAll(async () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({
      username: `ann${index}`,
      username_key: `ann${index}`,
      display_name: `Ann ${index}`,
      password_hash: 'x'.repeat(97),
      role: index < 3 ? role.admin : role.user,
      status: 1,
      group: index % 10 === 0 ? 'vip' : 'default',
      aff_code: `a${index}`,
      created_at: 1,
      deleted_at: null,
    }))
    const { query, kind } = world().database
    await query.insertInto('users').values(rows).execute()
    if (kind === 'postgres') await sql`vacuum analyze users`.execute(query)
  })

  const caller = callerOf({ id: 2, username: 'ann1', role: role.admin, grants: null, group: 'default' })

  test('pages follow one another from the first to the last, whichever end they are walked to from', async () => {
    const { database } = world()
    const ctx = { clock: new FakeTime(), database, ledger: noBalances } as unknown as Context
    const all = await database.query.selectFrom('users').select('id').orderBy('id', 'desc').execute()
    const seen: number[] = []
    for (let p = 1; seen.length < all.length; p += 1) {
      const { items, total } = await findUsers(ctx, caller, { p, page_size: 70 })
      expect([items.length > 0, total]).toEqual([true, all.length])
      seen.push(...items.map(({ id }) => id))
    }
    expect(seen).toEqual(all.map(({ id }) => id))
    expect(await findUsers(ctx, caller, { p: 90, page_size: 70 })).toMatchObject({ items: [], total: all.length })
  })

  test.each(Object.keys(questions) as (keyof typeof questions)[])('%s uses an index', async (name) => {
    const { query, plans } = recordQueries(world().database)
    const database = { ...world().database, query }
    const ctx = { clock: new FakeTime(), database, ledger: noBalances } as unknown as Context
    await findUsers(ctx, caller, questions[name])
    // The last queries read, by their ids, the rows of the page, the accounts its users sign in with, and second factors of two kinds.
    for (const plan of (await plans()).slice(0, -4)) {
      expect(plan.join('\n')).toMatch(/COVERING INDEX users_|Index Only Scan|(?:INDEX|using) users_of_rank/)
    }
  })
})
