import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Indexes for the filters of the audit log, each in the order it is shown in. */
export const auditFilters: NumberedMigration = {
  name: '0019-audit-filters',
  async up(db) {
    await sql`create index audit_log_action on audit_log (action, created_at, id)`.execute(db)
    await sql`create index audit_log_kind on audit_log (target, created_at, id)`.execute(db)
    await sql`create index audit_log_rank on audit_log (role, created_at, id)`.execute(db)
    await sql`create index audit_log_ip on audit_log (ip, created_at, id)`.execute(db)
    await sql`create index audit_log_request on audit_log (request_id, created_at, id)`.execute(db)
    await sql`create index audit_log_refused on audit_log (created_at, id) where outcome <> 'ok'`.execute(db)
  },
}
