import type { Page, RedemptionId, redemptionRoutes } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import { containing, equalFolded } from '../../platform/store/like'
import { listOrder } from '../../platform/store/list-order'
import type { Queries, Transaction } from '../../platform/store/database'
import type { RedemptionRow } from '../../platform/store/tables'
import { codeEntities, namesOf } from './code-entity'

interface CodeFilter {
  /** Part of the name, or the id. */
  readonly keyword?: string
  readonly status?: number
  readonly is_gift?: boolean
  readonly sort?: redemptionRoutes.RedemptionSort
  readonly descending?: boolean
}

const values = {
  id: sql`id`,
  name: sql`lower(name)`,
  status: sql`status`,
  quota: sql`quota`,
  uses: sql`used_count`,
  expires: sql`nullif(valid_until, 0)`,
  redeemed: sql`nullif(redeemed_time, 0)`,
} satisfies Record<redemptionRoutes.RedemptionSort, RawBuilder<unknown>>

export const codesIn = (query: Queries | Transaction) =>
  query.selectFrom('redemption_codes').where('deleted_at', 'is', null)

/** Resolves with a page of codes: newest first, exact matches before others, or as `sort` says. */
export async function findCodes(call: Call<'user'>, filter: CodeFilter, { page, size, offset }: Page) {
  const found = codesIn(call.ctx.database.query)
    .$if(Boolean(filter.keyword), (query) => query.where(isNamed(filter.keyword ?? '')))
    .$if(filter.status !== undefined, (query) => query.where('status', '=', filter.status ?? 0))
    .$if(filter.is_gift !== undefined, (query) => query.where('is_gift', '=', filter.is_gift ? 1 : 0))
  const { sort, descending: isDescending, keyword } = filter
  const order = listOrder({ by: sort && values[sort], isDescending, first: keyword ? isExactly(keyword) : undefined })
  const rows = await found.selectAll().orderBy(order).limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await shownCodes(call, rows), page, page_size: size, total }
}

function isNamed(keyword: string) {
  const named = containing(sql.ref('redemption_codes.name'), keyword)
  return /^\d{1,15}$/.test(keyword) ? sql<boolean>`(${named} or id = ${Number(keyword)})` : named
}

const isExactly = (keyword: string) => {
  const isName = equalFolded(sql.ref('redemption_codes.name'), keyword)
  return /^\d{1,15}$/.test(keyword) ? sql`(${isName} or id = ${Number(keyword)})` : isName
}

/** Callers who may change codes see the codes themselves, which the audit log records. */
async function shownCodes(
  call: Call<'user'>,
  rows: readonly RedemptionRow[],
): Promise<redemptionRoutes.RedemptionEntity[]> {
  const isOpen = call.caller.grants.has('codes.write')
  if (isOpen && rows.length > 0) call.audit.read('code.read')
  return codeEntities(call.ctx, rows, isOpen)
}

/** @throws AppError `redemption.none`. */
export async function codeRow(query: Queries | Transaction, id: RedemptionId): Promise<RedemptionRow> {
  const row = await codesIn(query).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('redemption.none')
  return row
}

/** @throws AppError `redemption.none`. */
export async function oneCode(call: Call<'user'>, id: RedemptionId): Promise<redemptionRoutes.RedemptionEntity> {
  const row = await codeRow(call.ctx.database.query, id)
  const [entity] = await shownCodes(call, [row])
  if (!entity) throw new AppError('redemption.none')
  call.audit.target('code', row.id, row.name)
  return entity
}

/** Resolves with a page of the redemptions of a code, latest first. */
export async function findUses(ctx: Context, id: RedemptionId, { page, size, offset }: Page) {
  const { query } = ctx.database
  await codeRow(query, id)
  const found = query.selectFrom('redemption_uses').where('redemption_id', '=', id)
  const rows = await found
    .select(['user_id', 'used_at', 'quota'])
    .orderBy('used_at', 'desc')
    .orderBy('user_id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const names = await namesOf(
    ctx.database,
    rows.map(({ user_id: userId }) => userId),
  )
  const items = rows.map((row) => ({ ...row, username: names.get(row.user_id) ?? '' }))
  return { items, page, page_size: size, total }
}
