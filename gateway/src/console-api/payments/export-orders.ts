import type { paymentRoutes } from '@tollgate/contract'

import { csvFile, isoTime, moneyColumns, type CsvColumn } from '../../http/response/csv-file'
import type { FileResult } from '../../http/response/file-response'
import type { Call } from '../../http/handler'
import type { Language } from '../../http/language'
import { eachOrder, eachOwnOrder } from './find-orders'

/** Returns all of the caller's own orders within the filters, as a file. */
export const exportOwnOrders = (filter: paymentRoutes.OwnOrderFilter, call: Call<'user'>): Promise<FileResult> =>
  csvFile('orders', ownColumns, eachOwnOrder(call.ctx, call.caller.userId, filter), call)

/** Returns all orders within the filters, as a file. */
export const exportOrders = (filter: paymentRoutes.OrderFilter, call: Call<'user'>): Promise<FileResult> =>
  csvFile('orders', columns, eachOrder(call.ctx, filter), call)

const statusNames: Readonly<Record<paymentRoutes.OrderStatus, Readonly<Record<Language, string>>>> = {
  pending: { en: 'Pending', zh: '待支付' },
  paid: { en: 'Paid', zh: '已支付' },
  failed: { en: 'Failed', zh: '支付失败' },
  expired: { en: 'Expired', zh: '已过期' },
  refunded: { en: 'Refunded', zh: '已退款' },
  disputed: { en: 'Disputed', zh: '争议中' },
}

const timeOf = (seconds: number) => (seconds === 0 ? '' : isoTime(seconds))

/** Amounts are strings of digits: they stay exact. */
const ownColumns: readonly CsvColumn<paymentRoutes.OwnOrder>[] = [
  { name: { en: 'Order', zh: '订单号' }, cell: (order) => order.trade_no },
  { name: { en: 'Created (UTC)', zh: '创建时间 (UTC)' }, cell: (order) => isoTime(order.created_at) },
  { name: { en: 'Status', zh: '状态' }, cell: ({ status }, language) => statusNames[status][language] },
  { name: { en: 'Price', zh: '支付金额' }, cell: ({ money }) => money },
  { name: { en: 'Currency', zh: '币种' }, cell: ({ currency }) => currency },
  { name: { en: 'Refunded', zh: '已退款' }, cell: ({ refunded }) => refunded },
  ...moneyColumns<paymentRoutes.OwnOrder>({ en: 'Credit', zh: '到账' }, ({ quota }) => quota),
  ...moneyColumns<paymentRoutes.OwnOrder>({ en: 'Taken back', zh: '已扣回' }, (order) => order.quota_taken),
  ...moneyColumns<paymentRoutes.OwnOrder>(
    { en: 'Bonus', zh: '赠送' },
    ({ bonus, bonus_taken: taken }) => bonus - taken,
  ),
  { name: { en: 'Plan', zh: '套餐' }, cell: ({ plan }) => plan },
  { name: { en: 'Provider', zh: '支付渠道' }, cell: ({ provider }) => provider },
  { name: { en: 'Payment method', zh: '支付方式' }, cell: ({ method }) => method },
  { name: { en: 'Paid (UTC)', zh: '支付时间 (UTC)' }, cell: (order) => timeOf(order.paid_at) },
]

const columns: readonly CsvColumn<paymentRoutes.OrderEntity>[] = [
  ...ownColumns,
  { name: { en: 'User ID', zh: '用户 ID' }, cell: (order) => order.user_id },
  { name: { en: 'Username', zh: '用户名' }, cell: ({ username }) => username },
  { name: { en: 'Provider’s number', zh: '渠道订单号' }, cell: (order) => order.provider_trade_no },
  { name: { en: 'Problem', zh: '异常' }, cell: ({ problem }) => problem },
  { name: { en: 'Completed by', zh: '手动完成' }, cell: (order) => order.completed_by },
]
