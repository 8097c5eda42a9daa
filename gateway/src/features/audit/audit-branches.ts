import { auditDone, role, type auditRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { userIdOf } from '../../accounts/user-id-of'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../store/database'
import type { Tables } from '../../store/tables'

type Builder = ExpressionBuilder<Tables, 'audit_log'>
/** Rows that one index has in the order they are shown in. */
export type Branch = (eb: Builder) => Expression<SqlBool>

/** Of a log that was never asked for more, one branch; together they are what was asked for, and no row is in two. */
export async function branchesOf(
  queries: Queries,
  caller: Caller,
  filter: auditRoutes.AuditFilter,
): Promise<readonly Branch[]> {
  const userId = filter.user_id ?? (await userIdOf(queries, filter.username))
  const everywhere: Branch = (eb) => eb.and([...reach(eb, caller), ...conditions(eb, filter, userId)])
  const within =
    (branch: Branch): Branch =>
    (eb) =>
      eb.and([branch(eb), everywhere(eb)])
  if (filter.action !== undefined && filter.action !== '') {
    const actions = await actionsIn(queries, filter.action)
    return actions.map((action) => within((eb) => eb('action', '=', action)))
  }
  const isNarrow = userId !== undefined || filter.target || filter.ip || filter.request_id || filter.outcome
  if (isNarrow || caller.rank >= role.root) return [everywhere]
  const ranks = (await ranksOf(queries)).filter((rank) => rank < caller.rank)
  const own: Branch = (eb) => eb.and([eb('user_id', '=', caller.userId), eb('role', '>=', caller.rank)])
  return [
    ...ranks.map(
      (rank): Branch =>
        (eb) =>
          eb('role', '=', rank),
    ),
    own,
  ].map(within)
}

/** Equals and superiors are not read: what they do is none of a lower rank's business. */
const reach = (eb: Builder, caller: Caller): Expression<SqlBool>[] =>
  caller.rank >= role.root ? [] : [eb.or([eb('role', '<', caller.rank), eb('user_id', '=', caller.userId)])]

function conditions(eb: Builder, filter: auditRoutes.AuditFilter, userId: number | null | undefined) {
  const wanted: Expression<SqlBool>[] = []
  if (userId !== undefined) wanted.push(eb('user_id', '=', userId ?? -1))
  for (const name of ['target', 'target_id', 'ip', 'request_id'] as const) {
    if (filter[name]) wanted.push(eb(name, '=', filter[name]))
  }
  // As the index of refusals has it.
  if (filter.outcome === 'refused') wanted.push(sql<SqlBool>`outcome <> 'ok'`)
  else if (filter.outcome) {
    wanted.push(eb('outcome', '=', filter.outcome))
    if (filter.outcome !== auditDone) wanted.push(sql<SqlBool>`outcome <> 'ok'`)
  }
  if (filter.start_timestamp) wanted.push(eb('created_at', '>=', filter.start_timestamp))
  if (filter.end_timestamp) wanted.push(eb('created_at', '<=', filter.end_timestamp))
  return wanted
}

/** The action of that name, and those of the area. */
async function actionsIn(queries: Queries, name: string): Promise<string[]> {
  const all = await distinct(queries, 'action')
  return all.filter((action) => action === name || action.startsWith(`${name}.`))
}

const ranksOf = async (queries: Queries) => (await distinct(queries, 'role')).map(Number)

/** The few values of a column, each found by one step in its index. */
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
