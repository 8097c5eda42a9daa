import { auditDone, auditRoutes, pageOf, role } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { userIdOf } from '../../accounts/user-id-of'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { AuditRow, Tables } from '../../store/tables'

/** A page of the audit log as far as the caller may read it, newest first. */
export async function findAudit(ctx: Context, caller: Caller, query: auditRoutes.AuditQuery) {
  const { page, size, offset } = pageOf(query)
  const userId = query.user_id ?? (await userIdOf(ctx.database.query, query.username))
  const found = ctx.database.query
    .selectFrom('audit_log')
    .where((eb) => eb.and([...reach(eb, caller), ...conditions(eb, query, userId)]))
  const rows = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: rows.map(auditEntity), page, page_size: size, total }
}

type Builder = ExpressionBuilder<Tables, 'audit_log'>

/** Equals and superiors are not read: what they do is none of a lower rank's business. */
const reach = (eb: Builder, caller: Caller): Expression<SqlBool>[] =>
  caller.rank >= role.root ? [] : [eb.or([eb('role', '<', caller.rank), eb('user_id', '=', caller.userId)])]

function conditions(eb: Builder, query: auditRoutes.AuditQuery, userId: number | null | undefined) {
  const wanted: Expression<SqlBool>[] = []
  if (userId !== undefined) wanted.push(eb('user_id', '=', userId ?? -1))
  if (query.action) {
    const area = `${query.action}.`
    const isArea = sql<boolean>`substr(action, 1, ${area.length}) = ${area}`
    wanted.push(eb.or([eb('action', '=', query.action), isArea]))
  }
  for (const name of ['target', 'target_id', 'ip', 'request_id'] as const) {
    if (query[name]) wanted.push(eb(name, '=', query[name]))
  }
  if (query.outcome === 'refused') wanted.push(eb('outcome', '!=', auditDone))
  else if (query.outcome) wanted.push(eb('outcome', '=', query.outcome))
  if (query.start_timestamp) wanted.push(eb('created_at', '>=', query.start_timestamp))
  if (query.end_timestamp) wanted.push(eb('created_at', '<=', query.end_timestamp))
  return wanted
}

const auditEntity = ({ before, after, ...row }: AuditRow): auditRoutes.AuditEntity =>
  auditRoutes.AuditEntity.parse({ ...row, before: factsOf(before), after: factsOf(after) })

function factsOf(text: string): unknown {
  return text === '' ? null : JSON.parse(text)
}
