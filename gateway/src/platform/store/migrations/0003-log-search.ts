import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * The remaining filters of the log each have an index in the order of time. Rows other than consumption (type 2) are few; their indexes
 * contain nothing else, so that a call's charge does not write them.
 */
export const logSearch: NumberedMigration = {
  name: '0003-log-search',
  async up(db) {
    await db.schema.createIndex('logs_token').on('logs').columns(['token_name', 'created_at']).execute()
    await db.schema.createIndex('logs_group').on('logs').columns(['group', 'created_at']).execute()
    await sql`create index logs_type on logs (type, created_at) where type <> 2`.execute(db)
    await sql`create index logs_user_type on logs (user_id, type, created_at) where type <> 2`.execute(db)
  },
}
