import type { Page, paymentRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { containing, equalFolded } from '../../platform/store/like'
import { listOrder, type ListOrder } from '../../platform/store/list-order'
import type { OrderRow, Tables } from '../../platform/store/tables'
import { orderEntities, ownOrders } from './order-entity'
import { parsedJson } from '../../platform/text/parsed-json'
import { moneyText } from '../../billing/payments/currency'

/** Rows per query of a file: a few milliseconds, for which a call in the same process may have to wait. */
const listSize = 500

type Filter = Omit<paymentRoutes.OrderFilter, 'keyword' | 'user_id'> & { readonly user_id?: number }
type Condition = Expression<SqlBool>
/** The conditions on orders; a fresh one for each query. */
type Narrowing = (eb: ExpressionBuilder<Tables, 'orders'>) => Condition

function within(filter: Filter, ...others: readonly Condition[]): Narrowing {
  const {
    status,
    provider,
    user_id: userId,
    has_problem: hasProblem,
    start_timestamp: from,
    end_timestamp: to,
  } = filter
  return (eb) =>
    eb.and([
      ...others,
      ...(status === undefined ? [] : [eb('status', '=', status)]),
      ...(provider === undefined || provider === '' ? [] : [eb('provider', '=', provider)]),
      ...(userId === undefined ? [] : [eb('user_id', '=', userId)]),
      ...(hasProblem === undefined ? [] : [eb('problem', hasProblem === 'true' ? '!=' : '=', '')]),
      ...(from === undefined ? [] : [eb('created_at', '>=', from)]),
      ...(to === undefined ? [] : [eb('created_at', '<=', to)]),
    ])
}

const ownWithin = ({ keyword = '', ...filter }: paymentRoutes.OwnOrderFilter, userId: number): Narrowing =>
  within({ ...filter, user_id: userId }, ...(keyword === '' ? [] : [containing(sql.ref('orders.number'), keyword)]))

const anyWithin = ({ keyword = '', ...filter }: paymentRoutes.OrderFilter): Narrowing =>
  within(filter, ...(keyword === '' ? [] : [isNamed(keyword)]))

const isNamed = (keyword: string) => sql<boolean>`(${containing(sql.ref('orders.number'), keyword)}
  or ${containing(sql.ref('orders.provider_number'), keyword)}
  or user_id in (select id from users where ${containing(sql.ref('users.username'), keyword)}))`

/** Resolves with a page of a user's own orders, newest first. */
export async function findOwnOrders(ctx: Context, userId: number, filter: paymentRoutes.OwnOrderFilter, page: Page) {
  const { rows, ...list } = await pageWithin(ctx, ownWithin(filter, userId), page)
  return { ...list, items: await ownOrders(ctx, rows) }
}

interface Sorted {
  readonly sort?: paymentRoutes.OrderSort
  readonly descending?: boolean
}

/** What was not paid has no time of payment. */
const values = {
  created: sql`created_at`,
  money: sql`currency asc, minor`,
  quota: sql`quota`,
  paid: sql`nullif(paid_at, 0)`,
  status: sql`status`,
  provider: sql`provider`,
} satisfies Record<paymentRoutes.OrderSort, RawBuilder<unknown>>

/** Resolves with a page of all orders: newest first, exact matches before others, or as `sort` says. */
export async function findOrders(
  ctx: Context,
  { sort, descending, ...filter }: paymentRoutes.OrderFilter & Sorted,
  page: Page,
) {
  const { keyword = '' } = filter
  const order = {
    by: sort && values[sort],
    isDescending: descending,
    first: keyword === '' ? undefined : isExactly(keyword),
  }
  const { rows, ...list } = await pageWithin(ctx, anyWithin(filter), page, order)
  return { ...list, items: await orderEntities(ctx, rows) }
}

const isExactly = (keyword: string) => sql`(number = ${keyword} or provider_number = ${keyword}
  or user_id in (select id from users where ${equalFolded(sql.ref('users.username'), keyword)}))`

async function pageWithin(
  { database }: Context,
  narrowing: Narrowing,
  { page, size, offset }: Page,
  order: ListOrder = {},
) {
  const found = database.query.selectFrom('orders').where(narrowing)
  const rows = await found.selectAll().orderBy(listOrder(order)).limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, page, page_size: size, total }
}

/** Yields all of a user's own orders within the filters, newest first, in lists. */
export async function* eachOwnOrder(ctx: Context, userId: number, filter: paymentRoutes.OwnOrderFilter) {
  for await (const rows of listsWithin(ctx, ownWithin(filter, userId))) yield await ownOrders(ctx, rows)
}

/** Yields the orders of all users within the filters, newest first, in lists. */
export async function* eachOrder(ctx: Context, filter: paymentRoutes.OrderFilter) {
  for await (const rows of listsWithin(ctx, anyWithin(filter))) yield await orderEntities(ctx, rows)
}

async function* listsWithin({ database }: Context, narrowing: Narrowing) {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await database.query
      .selectFrom('orders')
      .selectAll()
      .where('id', '<', before)
      .where(narrowing)
      .orderBy('id', 'desc')
      .limit(listSize)
      .execute()
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < listSize) return
    before = last.id
  }
}

/** @throws AppError `order.none`. */
export async function orderRow({ database }: Pick<Context, 'database'>, number: string): Promise<OrderRow> {
  const row = await database.query.selectFrom('orders').selectAll().where('number', '=', number).executeTakeFirst()
  if (!row) throw new AppError('order.none')
  return row
}

/** @throws AppError `order.none`. */
export async function oneOrder(ctx: Context, number: string): Promise<paymentRoutes.OrderEntity> {
  const [entity] = await orderEntities(ctx, [await orderRow(ctx, number)])
  if (!entity) throw new AppError('order.none')
  return entity
}

/** Resolves with the events of an order, latest first. */
export async function eventsOf({ database }: Context, orderId: number): Promise<paymentRoutes.OrderEvent[]> {
  const rows = await database.query
    .selectFrom('order_events')
    .select(['id', 'created_at', 'kind', 'source', 'outcome', 'payload'])
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({ ...row, money: reportedMoney(row.payload) }))
}

/** An amount as a provider reports it: Epay in yuan as a text, Stripe in the smallest unit of a currency. */
const Reported = z.union([
  z.object({ money: z.string() }).transform(({ money }) => ({ money, currency: 'CNY' })),
  z
    .object({ amount: z.int().optional(), amount_total: z.int().optional(), currency: z.string() })
    .transform(({ amount, amount_total: total = amount, currency: code }, context) => {
      const currency = code.toUpperCase()
      if (total !== undefined) return { money: moneyText(total, currency), currency }
      context.addIssue('no amount')
      return z.NEVER
    }),
])

/** Returns the amount in a provider's report as it was kept; null where it names none, or was too long to be kept whole. */
export const reportedMoney = (payload: string): z.output<typeof Reported> | null =>
  Reported.safeParse(parsedJson(payload)).data ?? null
