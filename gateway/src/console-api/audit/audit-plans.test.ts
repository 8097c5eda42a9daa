import { beforeAll, expect, test } from 'bun:test'

import { role } from '@tollgate/contract'
import { sql } from 'kysely'

import { callerOf } from '../../../test/calls'
import { onBothDatabases } from '../../../test/databases'
import { recordQueries } from '../../../test/plans'
import type { Context } from '../../context'
import { findAudit } from './find-audit'

const questions = {
  everything: {},
  'a late page': { p: 40 },
  'an area': { action: 'channel' },
  'an action': { action: 'user.update' },
  'what was refused': { outcome: 'refused' },
  'a kind of target': { target: 'channel' },
  'one target': { target: 'channel', target_id: '7' },
  'the target of an id': { target_id: '7' },
  'a code': { outcome: 'auth.forbidden' },
  'a code of an area': { outcome: 'auth.forbidden', action: 'user' },
  'a user’s acts in an area': { user_id: 8, action: 'user' },
  'an action on a kind of target': { action: 'user.update', target: 'user' },
  'a code of an address': { ip: '192.0.2.10', outcome: 'auth.forbidden' },
  'what an address was refused': { ip: '192.0.2.10', outcome: 'refused' },
  'a code at the target of an id': { target_id: '10', outcome: 'auth.forbidden' },
  'an address': { ip: '192.0.2.7' },
  'a request': { request_id: 'r7' },
  'a user': { user_id: 7 },
}

/** For those with two conditions, the index that has the fewest rows. */
const narrowest: { readonly [Name in keyof typeof questions]?: string } = {
  'an action on a kind of target': 'audit_log_pair',
  'a code of an address': 'audit_log_ip',
  'a code at the target of an id': 'audit_log_target_id',
}

onBothDatabases('the audit log is read in the order of an index', (world) => {
  beforeAll(async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({
      created_at: index,
      request_id: `r${index}`,
      user_id: index % 20,
      username: `user${index % 20}`,
      role: index % 3 === 0 ? role.root : role.user,
      means: 'session',
      ip: `192.0.2.${index % 250}`,
      user_agent: 'x'.repeat(100),
      action: ['user.update', 'channel.update', 'channel.create', 'session.begin'][index % 4] ?? '',
      method: 'PUT',
      path: '/api/user/',
      target: index % 2 === 0 ? 'user' : 'channel',
      target_id: String(index % 50),
      target_name: '',
      outcome: index % 10 === 0 ? 'auth.forbidden' : 'ok',
      before: '',
      after: '',
    }))
    const { query, kind } = world().database
    for (let at = 0; at < rows.length; at += 500) {
      await query
        .insertInto('audit_log')
        .values(rows.slice(at, at + 500))
        .execute()
    }
    if (kind === 'postgres') await sql`vacuum analyze audit_log`.execute(query)
  })

  const readers = { root: role.root, admin: role.admin }

  test.each(
    Object.keys(questions).flatMap((name) =>
      Object.keys(readers).map((reader) => [name, reader] as [keyof typeof questions, keyof typeof readers]),
    ),
  )('%s by %s', async (name, reader) => {
    const { query, plans } = recordQueries(world().database)
    const { kind } = world().database
    const hasBoth = Object.keys(questions[name]).length > 1
    const ctx = { database: { ...world().database, query } } as unknown as Context
    const caller = callerOf({ id: 2, username: reader, role: readers[reader], grants: null, group: 'default' })
    const { items } = await findAudit(ctx, caller, questions[name])
    expect(items.length).toBeGreaterThan(0)
    // A walk along an index ends with the page.
    const steps = (await plans()).filter((plan) => !plan.some((line) => line.includes('known')))
    // PostgreSQL decides by statistics, which so few rows as these do not produce.
    expect(steps.flat().join('\n')).toContain(kind === 'sqlite' ? (narrowest[name] ?? '') : '')
    for (const plan of steps) {
      // SQLite does not know how many rows a value has.
      if (hasBoth && kind === 'sqlite') expect(plan.join('\n')).not.toMatch(/audit_log_(?:action|kind)/)
      expect(plan.join('\n')).not.toMatch(/SCAN audit_log(?! USING)|Seq Scan on audit_log|TEMP B-TREE FOR ORDER BY/)
    }
  })
})
