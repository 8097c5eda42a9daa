import { pageOf, paymentCallbackRoutes, paymentRoutes, type OptionValues, type RouteInput } from '@tollgate/contract'

import { handler, type Call, type Handler } from '../../http/handler'
import { createOrder, quote } from '../../billing/payments/create-order'
import { moneyText } from '../../billing/payments/currency'
import { findDocuments } from '../../billing/payments/documents/find-documents'
import { backFromPayment, epayNotification, stripeEvent } from './callbacks'
import { checkNow, completeByHand, continueOwn, refund, resolve } from './change-order'
import { exportOrders, exportOwnOrders } from './export-orders'
import { eventsOf, findOrders, findOwnOrders, oneOrder } from './find-orders'
import { testCallbackAddress } from './self-test'
import { findPlanOnSale } from '../../billing/plans/buy-plan'
import { amountOf, discounts, groupRatio } from '../../billing/payments/price'
import { methodsOf } from '../../billing/payments/providers'
import { availableBonuses } from '../../billing/payments/top-up-bonus'

type PayBody = RouteInput<typeof paymentRoutes.pay>['body']

async function pay({ amount, payment_method: method, plan_id: planId }: PayBody, call: Call<'user'>) {
  const plan = planId === undefined ? undefined : await findPlanOnSale(call.ctx, planId)
  const { order, start } = await createOrder(call.ctx, call.caller, { amount, method, plan })
  call.audit.target('order', order.id, order.number)
  const { amount: units, method: type, minor, currency, bonus } = order
  const money = moneyText(minor, currency)
  const facts = { amount: units, method: type, money, ...(bonus > 0 && { bonus }), ...(plan && { plan: plan.name }) }
  call.audit.recordChange({}, facts)
  return { data: { ...start.fields }, envelopeFields: { url: start.url, trade_no: order.number } }
}

export const paymentHandlers: readonly Handler[] = [
  handler(paymentRoutes.payableAmount, async ({ body }, { ctx, caller }) => {
    const { amount, payment_method: requestedMethod, plan_id: planId } = body
    const plan = planId === undefined ? undefined : await findPlanOnSale(ctx, planId)
    const { minor, method } = quote(ctx, caller, { amount, method: requestedMethod, plan })
    return moneyText(minor, method.currency)
  }),
  handler(paymentRoutes.pay, ({ body }, call) => pay(body, call)),
  handler(paymentRoutes.continueOrder, async ({ body }, call) => {
    const { url, fields } = await continueOwn(body.trade_no, call)
    return { data: { ...fields }, envelopeFields: { url, trade_no: body.trade_no } }
  }),
  handler(paymentRoutes.topUpInfo, async (_input, { ctx, caller }) => {
    const bonuses = await availableBonuses(ctx, caller.userId)
    return {
      ...topUpInfo(ctx.catalog.current.options, caller.group),
      bonuses: bonuses.map(({ from, quota, percent, is_once }) => ({ from, quota, percent, is_once })),
    }
  }),
  handler(paymentRoutes.listOwnOrders, ({ query }, { ctx, caller }) =>
    findOwnOrders(ctx, caller.userId, query, pageOf(query)),
  ),
  handler(paymentRoutes.exportOwnOrders, ({ query }, call) => exportOwnOrders(query, call)),
  handler(paymentRoutes.exportOrders, ({ query }, call) => exportOrders(query, call)),
  handler(paymentRoutes.listOrders, ({ query }, { ctx }) => findOrders(ctx, query, pageOf(query))),
  handler(paymentRoutes.getOrder, async ({ params }, { ctx }) => {
    const order = await oneOrder(ctx, params.trade_no)
    const documents = await findDocuments(ctx, { trade_no: params.trade_no }, pageOf({ page_size: 100 }))
    return { order, events: await eventsOf(ctx, order.id), documents: documents.items }
  }),
  handler(paymentRoutes.checkOrder, ({ body }, call) => checkNow(body.trade_no, call)),
  handler(paymentRoutes.completeOrder, ({ body }, call) => completeByHand(body.trade_no, call)),
  handler(paymentRoutes.refundOrder, ({ body }, call) => refund(body, call)),
  handler(paymentRoutes.resolveOrder, ({ body }, call) => resolve(body, call)),
  handler(paymentCallbackRoutes.testCallbacks, (_input, { ctx }) => testCallbackAddress(ctx)),
  handler(paymentCallbackRoutes.epayNotify, (_input, call) => epayNotification(call)),
  handler(paymentCallbackRoutes.epayNotifyByForm, (_input, call) => epayNotification(call)),
  handler(paymentCallbackRoutes.stripeWebhook, (_input, call) => stripeEvent(call)),
  handler(paymentCallbackRoutes.epayReturn, (_input, call) => backFromPayment(call)),
  handler(paymentCallbackRoutes.epayReturnByForm, (_input, call) => backFromPayment(call)),
]

/** Returns how a user of a group can top up. */
function topUpInfo(options: OptionValues, group: string): Omit<paymentRoutes.TopUpInfo, 'bonuses'> {
  const methods = methodsOf(options)
  const minimums = methods.map((method) => method.min_topup)
  return {
    enable_online_topup: methods.length > 0,
    pay_methods: [...methods],
    min_topup: minimums.length > 0 ? Math.min(...minimums) : amountOf(options.MinTopUp, options),
    group_ratio: groupRatio(options, group),
    amount_options: options.AmountOptions.map((dollars) => amountOf(dollars, options)),
    discount: Object.fromEntries(discounts(options)),
    topup_link: options.TopUpLink,
  }
}
