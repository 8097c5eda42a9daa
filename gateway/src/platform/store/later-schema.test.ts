import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { role, tokenRoutes, userRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { handlers } from '../../../test/all-handlers'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { createRelayWorld } from '../../../test/relay-world'
import { readBackup } from '../../operations/manifest'
import { saveBackup } from '../../operations/save-backup'
import { migrate, schemaState } from './migrate'

setDefaultTimeout(120_000)

/** What a later release may add: columns that this one does not know, whole tables and indexes. */
const laterStep = [
  'alter table users add column later_fact text',
  'alter table tokens add column later_limit bigint not null default 7',
  "alter table channels add column later_words text not null default '{}'",
  'alter table logs add column later_cost bigint not null default 0',
  'create table later_things (id integer primary key, user_id bigint not null)',
  'create index later_by_cost on logs (later_cost)',
  'insert into later_things (id, user_id) values (1, 1)',
  "insert into kysely_migration (name, timestamp) values ('9001-later', '2099-01-01T00:00:00.000Z')",
]

test.each(kinds)(
  'calls are charged and accounts changed while a later release runs on the same database (%s)',
  async (kind) => {
    await using world = await createRelayWorld({ kind })
    const { ctx } = world
    for (const statement of laterStep) await sql.raw(statement).execute(ctx.database.query)
    await migrate(ctx.database)
    expect((await schemaState(ctx.database)).unknown).toEqual(['9001-later'])
    await ctx.catalog.rebuild()

    const response = await world.chat()
    expect(response.status).toBe(200)
    await response.json()
    expect((await world.logs()).map(({ quota }) => quota > 0)).toEqual([true])

    const site = createTestConsole(ctx, handlers)
    const root = site.client(await site.signIn((await anAccount(ctx, { role: role.root, quota: 1_000_000 })).id))
    const token = await root.call(tokenRoutes.createToken, { body: { name: 'beside', unlimited_quota: true } })
    expect((await world.chat({}, { key: `sk-${token.key}` })).status).toBe(200)
    await root.call(userRoutes.createUser, { body: { username: 'bob', password: 'a long password' } })
    const { items } = await root.call(userRoutes.listUsers, { query: { page_size: 100 } })
    expect(items.map(({ username }) => username)).toContain('bob')
    expect(JSON.stringify([items, token])).not.toContain('later_')

    const folder = mkdtempSync(join(tmpdir(), 'tollgate-later-'))
    await saveBackup(ctx.config, join(folder, 'saved'))
    expect((await readBackup(join(folder, 'saved'))).database).toBe(kind)
    rmSync(folder, { recursive: true })
  },
)
