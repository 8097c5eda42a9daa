import type { Page, paymentRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { AppError } from '../../app-error'
import type { Context } from '../../context'
import { containing } from '../../store/like'
import type { OrderRow } from '../../store/tables'
import { orderEntities, ownOrder } from './order-entity'

interface OrderFilter {
  readonly keyword?: string
  readonly status?: paymentRoutes.OrderStatus
  readonly provider?: string
  readonly user_id?: number
  readonly has_problem?: 'true' | 'false'
}

/** Returns a page of a user's own orders, newest first. */
export async function findOwnOrders(
  ctx: Context,
  { userId, keyword }: { readonly userId: number; readonly keyword: string },
  { page, size, offset }: Page,
) {
  const found = ctx.database.query
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .$if(keyword !== '', (query) => query.where(containing(sql.ref('orders.number'), keyword)))
  const rows = await found.selectAll().orderBy('id', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: rows.map((row) => ownOrder(ctx, row)), page, page_size: size, total }
}

/** Returns a page of all orders, newest first. */
export async function findOrders(ctx: Context, filter: OrderFilter, { page, size, offset }: Page) {
  const { keyword = '', status, provider, user_id: userId, has_problem: hasProblem } = filter
  const found = ctx.database.query
    .selectFrom('orders')
    .$if(keyword !== '', (query) => query.where(isNamed(keyword)))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
    .$if(provider !== undefined && provider !== '', (query) => query.where('provider', '=', provider ?? ''))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .$if(hasProblem !== undefined, (query) => query.where('problem', hasProblem === 'true' ? '!=' : '=', ''))
  const rows = await found.selectAll().orderBy('id', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await orderEntities(ctx, rows), page, page_size: size, total }
}

const isNamed = (keyword: string) => sql<boolean>`(${containing(sql.ref('orders.number'), keyword)}
  or ${containing(sql.ref('orders.provider_number'), keyword)}
  or user_id in (select id from users where ${containing(sql.ref('users.username'), keyword)}))`

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

/** What happened to an order, latest first. */
export const eventsOf = ({ database }: Context, orderId: number): Promise<paymentRoutes.OrderEvent[]> =>
  database.query
    .selectFrom('order_events')
    .select(['id', 'created_at', 'kind', 'source', 'outcome', 'payload'])
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
