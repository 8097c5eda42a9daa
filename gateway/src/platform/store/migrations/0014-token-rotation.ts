import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** The key a token had before its last rotation, and until when it still works. */
export const tokenRotation: NumberedMigration = {
  name: '0014-token-rotation',
  async up(db) {
    await sql`alter table tokens add column previous_key_hash text`.execute(db)
    await sql`alter table tokens add column previous_key_until bigint not null default 0`.execute(db)
    await sql`create unique index tokens_previous_key_hash on tokens (previous_key_hash)
      where previous_key_hash is not null`.execute(db)
  },
}
