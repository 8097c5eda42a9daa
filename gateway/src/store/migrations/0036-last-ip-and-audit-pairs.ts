import { sql } from 'kysely'

import type { NumberedMigration } from '../migrate'

/** From where a token was used last. */
export const tokenLastIp: NumberedMigration = {
  name: '0036-token-last-ip',
  async up(db) {
    await sql`alter table tokens add column last_ip text not null default ''`.execute(db)
  },
}
