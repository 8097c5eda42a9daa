import { expect, test } from 'bun:test'

import { eachDatabase, emptyDatabase } from '../../../test/databases'
import { migrate, migratorOf } from './migrate'

const before = '0048-vendor-objects'

for (const kind of eachDatabase) {
  test(`the step to scopes of the account leaves narrowed access tokens the account, and others as they are (${kind})`, async () => {
    const world = await emptyDatabase(kind)
    const { database } = world
    try {
      await migratorOf(database).migrateTo(before)
      const row = { user_id: 1, name: '', created_at: 1, expires_at: null }
      const scopes = [null, '', 'logs.read']
      await database.query
        .insertInto('access_tokens')
        .values(scopes.map((held, index) => ({ ...row, token_hash: String(index), scopes: held })))
        .execute()
      await migrate(database)
      const rows = await database.query.selectFrom('access_tokens').select('scopes').orderBy('token_hash').execute()
      expect(rows.map((stored) => stored.scopes)).toEqual([
        null,
        'self.read,self.write',
        'logs.read,self.read,self.write',
      ])
    } finally {
      await world.drop()
    }
  })
}
