import type { Context } from '../../context'
import type { Job } from './job'
import { paceOf } from './pace-of'

/** Completes messages: receipts of an audience, copies by mail, receipts of deleted messages. */
export const deliverMessages = (context: Context): Job => ({
  name: 'deliver-messages',
  everyMs: 5000,
  async run(signal) {
    const waiting = context.database.query.selectFrom('messages').select('id').where('due_at', 'is not', null)
    if (!(await waiting.limit(1).executeTakeFirst())) return
    const { continueMessages } = await import('../../messaging/messages/continue-messages')
    await continueMessages(context, paceOf(context, signal), signal)
  },
})
