import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Authenticator apps, recovery codes and passkeys of users. */
export const secondFactors: NumberedMigration = {
  name: '0021-second-factors',
  async up(db) {
    await sql`create table totp_factors (
      user_id bigint primary key,
      secret_sealed text not null,
      last_step bigint not null,
      created_at bigint not null
    )`.execute(db)
    await sql`create table recovery_codes (
      code_hash text primary key,
      user_id bigint not null,
      created_at bigint not null,
      used_at bigint
    )`.execute(db)
    await sql`create index recovery_codes_by_user on recovery_codes (user_id)`.execute(db)
    await sql`create table passkeys (
      credential_id text primary key,
      user_id bigint not null,
      user_handle text not null,
      name text not null,
      public_key text not null,
      counter bigint not null,
      transports text not null,
      aaguid text not null,
      is_backed_up bigint not null,
      created_at bigint not null,
      last_used_at bigint
    )`.execute(db)
    await sql`create index passkeys_by_user on passkeys (user_id)`.execute(db)
  },
}
