import type { Queries } from '../../platform/store/database'
import { partOf, removeInParts, type Part, type Removal, type Removed } from './remove-in-parts'

/** Removes rows of the audit log. The database refuses it for those of the last ninety days. */
export const removeAudit = (query: Queries, removal: Removal): Promise<Removed> =>
  removeInParts(removal, (rows) => removeOldest(query, removal.before, rows))

async function removeOldest(query: Queries, before: number, limit: number): Promise<Part> {
  const rows = await query
    .deleteFrom('audit_log')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_log')
        .select('id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit),
    )
    .returning('created_at')
    .execute()
  return partOf(rows.map(({ created_at: at }) => at))
}
