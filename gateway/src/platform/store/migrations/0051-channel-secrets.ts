import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Credentials in addresses and overrides of channels are sealed; a job moves those of earlier releases, which takes the key. */
export const channelSecrets: NumberedMigration = {
  name: '0051-channel-secrets',
  async up(db) {
    await sql`alter table channels add column secrets_sealed text not null default ''`.execute(db)
  },
}
