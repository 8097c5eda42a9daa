import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** One-time flows, and the external identities that users sign in with. */
export const oneTimeFlows: NumberedMigration = {
  name: '0016-one-time-flows',
  async up(db) {
    await sql`create table flows (
      secret_hash text primary key,
      purpose text not null,
      subject text not null,
      browser_hash text not null,
      payload text not null,
      attempts bigint not null default 0,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`.execute(db)
    await sql`create index flows_by_subject on flows (purpose, subject)`.execute(db)
    await sql`create index flows_by_expiry on flows (expires_at)`.execute(db)
    await sql`create table identities (
      provider text not null,
      subject text not null,
      user_id bigint not null,
      created_at bigint not null,
      constraint identities_key primary key (provider, subject)
    )`.execute(db)
    await sql`create unique index identities_by_user on identities (user_id, provider)`.execute(db)
    for (const [provider, column] of columns) {
      // An open account takes precedence over a closed one with the same identity.
      await sql`insert into identities (provider, subject, user_id, created_at)
        select ${provider}, ${sql.ref(column)}, id, created_at from users
        where ${sql.ref(column)} is not null and ${sql.ref(column)} <> ''
        order by case when deleted_at is null then 0 else 1 end, id
        on conflict do nothing`.execute(db)
    }
  },
}

const columns = [
  ['github', 'github_id'],
  ['oidc', 'oidc_id'],
  ['wechat', 'wechat_id'],
  ['telegram', 'telegram_id'],
  ['linuxdo', 'linux_do_id'],
] as const
