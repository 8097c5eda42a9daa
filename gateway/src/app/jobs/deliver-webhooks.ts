import type { Context } from '../../context'
import type { Job } from './job'

/** Delivers queued webhooks. New ones wake it; the others are retried when their pause is over. */
export const deliverWebhooks = (context: Context): Job => ({
  name: 'deliver-webhooks',
  everyMs: 5000,
  wokenBy: 'webhook',
  async run(signal) {
    const waiting = context.database.query.selectFrom('webhook_deliveries').select('id').where('due_at', 'is not', null)
    if (!(await waiting.limit(1).executeTakeFirst())) return
    // Loaded with the first webhook.
    const { deliverWebhooks: deliver } = await import('../../messaging/notices/deliver-webhooks')
    await deliver(context, signal)
  },
})
