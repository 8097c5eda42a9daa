import type { Context } from '../../context'
import type { Job } from './job'

/** Asks payment providers about refunds whose response was lost. */
export const pursueRefunds = (context: Context): Job => ({
  name: 'pursue-refunds',
  everyMs: 10 * 60_000,
  async run(signal) {
    const open = context.database.query.selectFrom('orders').select('id').where('problem', '=', 'refund')
    if (!(await open.limit(1).executeTakeFirst())) return
    const { pursueRefunds: pursue } = await import('../../billing/payments/pursue-refunds')
    await pursue(context, signal)
  },
})

/** Queries payment providers about orders that were not reported, and closes those that expired. */
export const pursueOrders = (context: Context): Job => ({
  name: 'pursue-orders',
  everyMs: 15_000,
  async run(signal) {
    const now = context.clock.seconds()
    const due = context.database.query.selectFrom('orders').select('id').where('ask_at', '<=', now)
    if (!(await due.limit(1).executeTakeFirst())) return
    // Loaded with the first order.
    const { pursueOrders: pursue } = await import('../../billing/payments/pursue-orders')
    await pursue(context, signal)
  },
})
