import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Which key made an object in a vendor's account: a limited key sees what it made. Null: made before, and seen by all keys of its user. */
export const objectKeys: NumberedMigration = {
  name: '0054-object-keys',
  async up(db) {
    await sql`alter table vendor_objects add column token_id bigint`.execute(db)
  },
}
