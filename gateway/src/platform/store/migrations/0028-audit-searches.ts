import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** The audit log by the id of a target alone, and by the code of a refusal. */
export const auditSearches: NumberedMigration = {
  name: '0028-audit-searches',
  async up(db) {
    await sql`create index audit_log_target_id on audit_log (target_id, created_at, id)`.execute(db)
    await sql`create index audit_log_outcome on audit_log (outcome, created_at, id) where outcome <> 'ok'`.execute(db)
  },
}
