import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Tasks of one action are found and counted without reading the others of their platform. */
export const tasksByAction: NumberedMigration = {
  name: '0043-tasks-by-action',
  async up(db) {
    await sql`create index tasks_by_action on tasks (platform, action, submitted_at, status)`.execute(db)
  },
}
