import { expect, test } from 'bun:test'

import { sql } from 'kysely'

import { eachDatabase, emptyDatabase } from '../../../test/databases'
import { migrate } from '../../platform/store/migrate'
import { openPostgres } from '../../platform/store/postgres'
import { startFailure } from './start-failure'

test.if(eachDatabase.includes('postgres'))(
  'a PostgreSQL user who may not read the tables is told so in a sentence at the start',
  async () => {
    const world = await emptyDatabase('postgres')
    await migrate(world.database)
    const { query } = world.database
    const user = `u_${crypto.randomUUID().replaceAll('-', '')}`
    await sql`create role ${sql.ref(user)} login`.execute(query)
    const url = new URL(world.location)
    url.username = user
    const theirs = openPostgres(url.href)
    try {
      const failure = await migrate(theirs).catch((error: unknown) => error)
      expect(startFailure(failure)).toBe(
        'The user of DATABASE_URL lacks rights: permission denied for table kysely_migration. Make it the owner of the database and of its tables.',
      )
    } finally {
      await theirs.close()
      await sql`drop role ${sql.ref(user)}`.execute(query)
      await world.drop()
    }
  },
)
