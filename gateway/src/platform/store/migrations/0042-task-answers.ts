import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** What calls that ran in the background were answered with. */
export const taskResponses: NumberedMigration = {
  name: '0042-task-answers',
  async up(db) {
    await sql`create table task_answers (
      task_id text primary key,
      sealed text not null,
      expires_at bigint not null
    )`.execute(db)
    await sql`create index task_answers_expiry on task_answers (expires_at)`.execute(db)
  },
}
