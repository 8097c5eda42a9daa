import { minuteMs } from '@tollgate/contract'

import { renewalSeconds } from '../../billing/plans/term'
import type { Context } from '../../context'
import { paceOf, type Job } from './job'

const secondMs = 1000

/** Work on the rows of a queue. */
interface QueueJob extends Pick<Job, 'name' | 'everyMs' | 'wokenBy'> {
  /** Returns the query for rows that are due. */
  readonly due: () => { limit(rows: number): { executeTakeFirst(): Promise<unknown> } }
  readonly work: (signal: AbortSignal) => Promise<void>
}

const queueJob = ({ due, work, ...job }: QueueJob): Job => ({
  ...job,
  async run(signal) {
    if (await due().limit(1).executeTakeFirst()) await work(signal)
  },
})

/** Renews subscriptions at the end of their term, and ends the others. */
export const renewPlans = (context: Context): Job =>
  queueJob({
    name: 'renew-plans',
    everyMs: 10 * secondMs,
    due: () =>
      context.database.query
        .selectFrom('subscriptions')
        .select('id')
        .where('state', '=', 'active')
        .where('ends_at', '<=', context.clock.seconds() + renewalSeconds),
    async work(signal) {
      const { renewSubscriptions } = await import('../../billing/plans/renew')
      const { notifyPlanEnd } = await import('../../messaging/notices/plan-notices')
      await renewSubscriptions(context, signal, (ended, wasRenewing, transaction) =>
        notifyPlanEnd(context, ended, wasRenewing ? 'plan-not-renewed' : 'plan-ended', transaction),
      )
    },
  })

/** Completes messages: receipts of an audience, copies by mail, receipts of deleted messages. */
export const deliverMessages = (context: Context): Job =>
  queueJob({
    name: 'deliver-messages',
    everyMs: 5 * secondMs,
    due: () => context.database.query.selectFrom('messages').select('id').where('due_at', 'is not', null),
    async work(signal) {
      const { continueMessages } = await import('../../messaging/messages/continue-messages')
      await continueMessages(context, paceOf(context, signal), signal)
    },
  })

/** Sends queued mails. New ones wake it; the others are retried when their pause is over. */
export const sendMails = (context: Context): Job =>
  queueJob({
    name: 'send-mails',
    everyMs: 5 * secondMs,
    wokenBy: 'mail',
    due: () => context.database.query.selectFrom('mails').select('id').where('due_at', 'is not', null),
    async work(signal) {
      const { sendMails: send } = await import('../../messaging/mail/send-mails')
      await send(context, signal)
    },
  })

/** Delivers queued webhooks. New ones wake it; the others are retried when their pause is over. */
export const deliverWebhooks = (context: Context): Job =>
  queueJob({
    name: 'deliver-webhooks',
    everyMs: 5 * secondMs,
    wokenBy: 'webhook',
    due: () => context.database.query.selectFrom('webhook_deliveries').select('id').where('due_at', 'is not', null),
    async work(signal) {
      const { deliverWebhooks: deliver } = await import('../../messaging/notices/deliver-webhooks')
      await deliver(context, signal)
    },
  })

/** Notifies operators of events. New ones wake it; repeated ones are reported when their pause is over. */
export const notifyOfEvents = (context: Context): Job =>
  queueJob({
    name: 'notify-operators',
    everyMs: 5 * secondMs,
    wokenBy: 'event',
    due: () =>
      context.database.query
        .selectFrom('operator_events')
        .select('kind')
        .where('due_at', 'is not', null)
        .where('due_at', '<=', context.clock.seconds()),
    async work(signal) {
      const { notifyOperators } = await import('../../messaging/notices/notify-operators')
      await notifyOperators(context, signal)
    },
  })

/** Queries payment providers about orders that were not reported, and closes those that expired. */
export const pollPendingOrders = (context: Context): Job =>
  queueJob({
    name: 'pursue-orders',
    everyMs: 15 * secondMs,
    due: () => context.database.query.selectFrom('orders').select('id').where('ask_at', '<=', context.clock.seconds()),
    async work(signal) {
      const payments = await import('../../billing/payments/poll-pending-orders')
      await payments.pollPendingOrders(context, signal)
    },
  })

/** Asks payment providers about refunds whose response was lost. */
export const pollPendingRefunds = (context: Context): Job =>
  queueJob({
    name: 'pursue-refunds',
    everyMs: 10 * minuteMs,
    due: () => context.database.query.selectFrom('orders').select('id').where('problem', '=', 'refund'),
    async work(signal) {
      const payments = await import('../../billing/payments/poll-pending-refunds')
      await payments.pollPendingRefunds(context, signal)
    },
  })

/** Credits commissions whose day has come. */
export const settleCommissions = (context: Context): Job =>
  queueJob({
    name: 'settle-commissions',
    everyMs: minuteMs,
    due: () =>
      context.database.query
        .selectFrom('commissions')
        .select('order_number')
        .where('due_at', '<=', context.clock.seconds()),
    async work(signal) {
      const payments = await import('../../billing/payments/settle-commissions')
      await payments.settleCommissions(context, signal)
    },
  })

/** Takes back what is unspent of redeemed quota that ends. */
export const endExpiringQuota = (context: Context): Job =>
  queueJob({
    name: 'end-expiring-quota',
    everyMs: minuteMs,
    due: () =>
      context.database.query
        .selectFrom('expiring_quota')
        .select('user_id')
        .where('ended_at', 'is', null)
        .where('ends_at', '<=', context.clock.seconds()),
    async work(signal) {
      const expiring = await import('../../billing/expiring-quota/end-expiring-quota')
      await expiring.endExpiringQuota(context, signal)
    },
  })

/** Fetches the results of finished tasks to where the site keeps them. */
export const storeResults = (context: Context): Job =>
  queueJob({
    name: 'store-results',
    everyMs: 5 * secondMs,
    due: () =>
      context.database.query
        .selectFrom('tasks')
        .select('id')
        .where('poll_at', '<=', context.clock.now())
        .where('status', '=', 'SUCCESS'),
    async work(signal) {
      const { storeDueResults } = await import('../../tasks/store-results')
      await storeDueResults(context, signal)
    },
  })
