import { auditRoutes, pageOf } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../platform/store/database'
import type { AuditRow } from '../../platform/store/tables'
import { branchesOf, type Branch } from './audit-branches'

const { maxCount } = auditRoutes

/** Resolves with a page of the audit log as far as the caller may read it, newest first. */
export async function findAudit(
  { database: { query: queries } }: Context,
  caller: Caller,
  query: auditRoutes.AuditQuery,
) {
  const { page, size, offset } = pageOf(query)
  const branches = await branchesOf(queries, caller, query)
  const total = await countRows(queries, branches)
  const rows = offset < maxCount ? await newestRows(queries, branches, { limit: size, offset }) : []
  return {
    items: rows.map(auditEntity),
    page,
    page_size: size,
    total: Math.min(total, maxCount),
    total_is_lower_bound: total > maxCount,
  }
}

/** Yields all rows as far as the caller may read them, newest first, in lists. */
export async function* eachAudit(
  { database: { query: queries } }: Context,
  caller: Caller,
  filter: auditRoutes.AuditFilter,
) {
  const branches = await branchesOf(queries, caller, filter)
  for (let before: RowPosition | undefined; ;) {
    const rows = await newestRows(queries, branches, { limit: listSize, offset: 0, before })
    yield rows.map(auditEntity)
    before = rows.at(-1)
    if (rows.length < listSize) return
  }
}

/** Rows per query: a few milliseconds, for which a call in the same process may have to wait. */
const listSize = 500

type RowPosition = Pick<AuditRow, 'created_at' | 'id'>

interface Part {
  readonly limit: number
  readonly offset: number
  readonly before?: RowPosition
}

const later = (one: RowPosition, other: RowPosition) => other.created_at - one.created_at || other.id - one.id

async function newestRows(queries: Queries, branches: readonly Branch[], { limit, offset, before }: Part) {
  const places: RowPosition[] = []
  for (const branch of branches) {
    const found = queries
      .selectFrom('audit_log')
      .select(['created_at', 'id'])
      .where(branch)
      .$if(before !== undefined, (all) =>
        all.where((eb) =>
          eb.or([
            eb('created_at', '<', before?.created_at ?? 0),
            eb.and([eb('created_at', '=', before?.created_at ?? 0), eb('id', '<', before?.id ?? 0)]),
          ]),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(offset + limit)
    places.push(...(await found.execute()))
  }
  const ids = places
    .sort(later)
    .slice(offset, offset + limit)
    .map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('audit_log').selectAll().where('id', 'in', ids).execute()
  return rows.sort(later)
}

/** Counts no further than one more than is shown. */
async function countRows(queries: Queries, branches: readonly Branch[]): Promise<number> {
  let total = 0
  for (const branch of branches) {
    const some = queries
      .selectFrom('audit_log')
      .select('id')
      .where(branch)
      .limit(maxCount + 1 - total)
    const { count } = await queries
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += count
    if (total > maxCount) return total
  }
  return total
}

const auditEntity = ({ before, after, ...row }: AuditRow): auditRoutes.AuditEntity =>
  auditRoutes.AuditEntity.parse({ ...row, before: factsOf(before), after: factsOf(after) })

function factsOf(text: string): unknown {
  return text === '' ? null : JSON.parse(text)
}
