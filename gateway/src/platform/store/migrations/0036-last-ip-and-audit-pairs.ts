import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * The address from which a token was last used; and the audit log by action and kind of target together, for pairs that few rows have
 * although many have each.
 */
export const lastIpAndAuditPairs: NumberedMigration = {
  name: '0036-last-ip-and-audit-pairs',
  async up(db) {
    await sql`alter table tokens add column last_ip text not null default ''`.execute(db)
    await sql`create index audit_log_pair on audit_log
      (action, target, role, created_at, id, user_id, outcome)`.execute(db)
  },
}
