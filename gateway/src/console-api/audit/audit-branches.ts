import { auditDone, role, type auditRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { userIdOf } from '../../accounts/users/usernames'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../platform/store/database'
import type { Tables } from '../../platform/store/tables'

type Builder = ExpressionBuilder<Tables, 'audit_log'>
/** Rows that one index has in the order they are shown in. */
export type Branch = (eb: Builder) => Expression<SqlBool>

/** Returns one branch for most queries; together the branches are what was requested, and no row is in two. */
export async function branchesOf(
  queries: Queries,
  caller: Caller,
  filter: auditRoutes.AuditFilter,
): Promise<readonly Branch[]> {
  const userId = filter.user_id ?? (await userIdOf(queries, filter.username))
  const everywhere: Branch = (eb) =>
    eb.and([...restrictToRank(eb, caller), ...narrow(eb, filter, userId), ...range(eb, filter)])
  const within =
    (branch: Branch): Branch =>
    (eb) =>
      eb.and([branch(eb), everywhere(eb)])
  if (isNarrow(filter, userId)) return [within((eb) => eb.and(wide(filter)))]
  const { action, target, outcome } = filter
  const values: readonly Branch[] | null = action
    ? (await actionsIn(queries, action)).map(
        (value) => (eb) => eb.and([eb('action', '=', value), ...(target ? [eb('target', '=', target)] : [])]),
      )
    : target
      ? [(eb) => eb('target', '=', target)]
      : null
  const isRoot = caller.rank >= role.root
  const isAlone = !outcome && !(action && target)
  if (isRoot && isAlone) return values?.map(within) ?? [everywhere]
  if (isRoot && !values) return [everywhere]
  // One rank at a time: a reader of few ranks would otherwise walk past all rows of the others.
  const ranks = (await ranksOf(queries)).filter((rank) => isRoot || rank < caller.rank)
  const own: Branch = (eb) =>
    eb.and([eb('user_id', '=', caller.userId), eb('role', '>=', caller.rank), ...wide({ action, target })])
  const ofRanks = ranks.flatMap((rank): readonly Branch[] =>
    (values ?? [all]).map((value) => (eb) => eb.and([eb('role', '=', rank), value(eb)])),
  )
  return (isRoot ? ofRanks : [...ofRanks, own]).map(within)
}

const all: Branch = (eb) => eb.and([])

/** Returns whether a condition leaves few rows, which its index has in order. */
const isNarrow = (
  { id, target_id: targetId, ip, request_id: requestId, outcome }: auditRoutes.AuditFilter,
  userId: number | null | undefined,
): boolean => userId !== undefined || Boolean(id || targetId || ip || requestId || (outcome && outcome !== auditDone))

/** Actions of equals and superiors are not readable for a lower rank. */
const restrictToRank = (eb: Builder, caller: Caller): Expression<SqlBool>[] =>
  caller.rank >= role.root ? [] : [eb.or([eb('role', '<', caller.rank), eb('user_id', '=', caller.userId)])]

function narrow(eb: Builder, filter: auditRoutes.AuditFilter, userId: number | null | undefined) {
  const conditions: Expression<SqlBool>[] = []
  if (filter.id) conditions.push(eb('id', '=', filter.id))
  if (userId !== undefined) conditions.push(eb('user_id', '=', userId ?? -1))
  for (const name of ['target_id', 'ip', 'request_id'] as const) {
    if (filter[name]) conditions.push(eb(name, '=', filter[name]))
  }
  const { outcome } = filter
  if (!outcome) return conditions
  if (conditions.length > 0) return [...conditions, withOutcome(outcome)]
  // Repeats the predicate of the index of refusals.
  if (outcome !== auditDone) conditions.push(sql<SqlBool>`outcome <> 'ok'`)
  if (outcome !== 'refused') conditions.push(eb('outcome', '=', outcome))
  return conditions
}

/** Written so that no index is used for it: many rows may have been refused, few have the address or the target. */
const withOutcome = (outcome: string): Expression<SqlBool> =>
  outcome === 'refused' ? sql<SqlBool>`outcome || '' <> 'ok'` : sql<SqlBool>`outcome || '' = ${outcome}`

function range(eb: Builder, { start_timestamp: from, end_timestamp: to }: auditRoutes.AuditFilter) {
  return [...(from ? [eb('created_at', '>=', from)] : []), ...(to ? [eb('created_at', '<=', to)] : [])]
}

/** Conditions that match many rows, written so that no index is used for them: SQLite would choose it without knowing how many. */
function wide({ action, target }: Pick<auditRoutes.AuditFilter, 'action' | 'target'>): Expression<SqlBool>[] {
  return [
    ...(action
      ? [sql<SqlBool>`(action || '' = ${action} or substr(action, 1, ${action.length + 1}) = ${`${action}.`})`]
      : []),
    ...(target ? [sql<SqlBool>`target || '' = ${target}`] : []),
  ]
}

/** Returns the action of that name, and those of the area. */
async function actionsIn(queries: Queries, name: string): Promise<string[]> {
  const all = await distinct(queries, 'action')
  return all.filter((action) => action === name || action.startsWith(`${name}.`))
}

const ranksOf = async (queries: Queries) => (await distinct(queries, 'role')).map(Number)

/** Returns the few values of a column, each found by one step in its index. */
async function distinct(queries: Queries, column: 'action' | 'role'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ value: string | number | null }>`
    with recursive known(value) as (
      select min(${name}) from audit_log
      union all
      select (select min(${name}) from audit_log where ${name} > known.value) from known where known.value is not null
    ) select value from known where value is not null`.execute(queries)
  return rows.map(({ value }) => String(value))
}
