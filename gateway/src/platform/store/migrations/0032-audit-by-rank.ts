import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * Indexes of the audit log by filter and readable rank, with every filtered column: rows that do not match are skipped in the index alone.
 */
export const auditByRank: NumberedMigration = {
  name: '0032-audit-by-rank',
  async up(db) {
    await sql`create index audit_log_action_rank on audit_log
      (action, role, created_at, id, user_id, target, outcome)`.execute(db)
    await sql`create index audit_log_kind_rank on audit_log
      (target, role, created_at, id, user_id, action, outcome)`.execute(db)
    await sql`create index audit_log_refused_wide on audit_log
      (created_at, id, role, user_id, action, target, outcome) where outcome <> 'ok'`.execute(db)
    await sql`create index audit_log_outcome_wide on audit_log
      (outcome, created_at, id, role, user_id, action, target) where outcome <> 'ok'`.execute(db)
  },
}
