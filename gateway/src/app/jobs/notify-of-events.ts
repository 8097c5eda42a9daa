import type { Context } from '../../context'
import type { Job } from './job'

/** Notifies operators of events. New ones wake it; repeated ones are reported when their pause is over. */
export const notifyOfEvents = (context: Context): Job => ({
  name: 'notify-operators',
  everyMs: 5000,
  wokenBy: 'event',
  async run(signal) {
    const waiting = context.database.query
      .selectFrom('operator_events')
      .select('kind')
      .where('due_at', 'is not', null)
      .where('due_at', '<=', context.clock.seconds())
    if (!(await waiting.limit(1).executeTakeFirst())) return
    // Loaded with the first event.
    const { notifyOperators } = await import('../../messaging/notices/notify-operators')
    await notifyOperators(context, signal)
  },
})
