import { sql, type Kysely } from 'kysely'

import type { DatabaseKind } from '../database'
import type { NumberedMigration } from '../migration'

/** Rows of the audit log may be removed once they are ninety days old, never changed. And what users used in hours whose sums were removed. */
export const retention: NumberedMigration = {
  name: '0050-retention',
  async up(db, kind) {
    await sql`create table removed_sums (
      user_id bigint not null,
      channel_id bigint not null,
      quota bigint not null,
      count bigint not null,
      primary key (user_id, channel_id)
    )`.execute(db)
    await keepYoungRows(db, kind)
  },
}

const youngSeconds = 90 * 24 * 3600

async function keepYoungRows(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  if (kind === 'sqlite') {
    await sql`drop trigger audit_log_no_delete`.execute(db)
    await sql`create trigger audit_log_no_delete before delete on audit_log
      when old.created_at > cast(strftime('%s', 'now') as integer) - ${sql.lit(youngSeconds)}
      begin select raise(abort, 'audit_log only grows'); end`.execute(db)
    return
  }
  await sql`drop trigger audit_log_only_grows on audit_log`.execute(db)
  await sql`create trigger audit_log_only_grows before update or truncate on audit_log
    for each statement execute function audit_log_only_grows()`.execute(db)
  await sql`create trigger audit_log_keeps_young before delete on audit_log for each row
    when (old.created_at > extract(epoch from now()) - ${sql.lit(youngSeconds)})
    execute function audit_log_only_grows()`.execute(db)
}
