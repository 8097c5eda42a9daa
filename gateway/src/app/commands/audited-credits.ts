import { z } from 'zod'

import type { Queries } from '../../platform/store/database'

export interface Credit {
  readonly id: string
  readonly user_id: number
  readonly kind: string
  readonly amount: number
  readonly created_at: number
}

/** The row of an act is written after the act: of a change of many users at its end. */
const writtenWithin = 600
const pageSize = 1000

const BulkFacts = z.object({ operation_id: z.string() })

/**
 * Resolves with what returns the credits of administrators that no row of the audit log explains. Credits from before the first row, and
 * the latest ones, are left out.
 */
export async function withoutAuditRow(query: Queries, nowSeconds: number) {
  const { since } = await query
    .selectFrom('audit_log')
    .select(({ fn }) => fn.min<number | null>('created_at').as('since'))
    .executeTakeFirstOrThrow()
  const operations = await bulkOperations(query)
  return async (credits: readonly Credit[]): Promise<ReadonlySet<string>> => {
    const due = credits.filter(({ created_at: at }) => since !== null && at >= since && at < nowSeconds - writtenWithin)
    const requests = await requestsAmong(query, due)
    const isExplained = ({ id, user_id }: Credit) => {
      const [kind, first = '', second = '', userId] = id.split(':')
      if (kind === 'admin') return requests.has(requestOf(first, user_id))
      return kind === 'bulk' && userId === String(user_id) && operations.has(`${first}:${second}`)
    }
    return new Set(due.filter((credit) => !isExplained(credit)).map(({ id }) => id))
  }
}

const requestOf = (requestId: string, userId: number | string) => `${requestId} ${userId}`

/** Resolves with the requests of these credits that the log has, with the user that each was about. */
async function requestsAmong(query: Queries, credits: readonly Credit[]): Promise<ReadonlySet<string>> {
  const ids = credits.flatMap(({ id }) => (id.startsWith('admin:') ? [id.slice('admin:'.length)] : []))
  if (ids.length === 0) return new Set()
  const rows = await query
    .selectFrom('audit_log')
    .select(['request_id', 'target_id'])
    .where('request_id', 'in', ids)
    .where('target', '=', 'user')
    .execute()
  return new Set(rows.map(({ request_id, target_id }) => requestOf(request_id, target_id)))
}

/** Resolves with the operators and operations of all changes of many users. */
async function bulkOperations(query: Queries): Promise<ReadonlySet<string>> {
  const operations = new Set<string>()
  for (let last = 0; ;) {
    const page = await query
      .selectFrom('audit_log')
      .select(['id', 'user_id', 'after'])
      .where('action', '=', 'user.bulk')
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    for (const { user_id, after } of page) {
      const facts = BulkFacts.safeParse(after === '' ? null : JSON.parse(after))
      if (facts.success) operations.add(`${user_id}:${facts.data.operation_id}`)
    }
    if (page.length < pageSize) return operations
    last = page.at(-1)?.id ?? 0
  }
}
