import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** What calls left in the accounts of vendors: whose it is, and the channel and key of the account. */
export const vendorObjects: NumberedMigration = {
  name: '0048-vendor-objects',
  async up(db) {
    await sql`create table vendor_objects (
      id_hash text not null,
      user_id bigint not null,
      channel_id bigint not null,
      key_fingerprint text not null,
      tokens bigint,
      vendor_id text not null default '',
      expires_at bigint not null,
      primary key (id_hash, user_id)
    )`.execute(db)
    await sql`create index vendor_objects_expiry on vendor_objects (expires_at)`.execute(db)
  },
}
