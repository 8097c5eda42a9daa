import type { Context } from '../../context'
import type { Job } from './job'

/** Sends queued mails. New ones wake it; the others are retried when their pause is over. */
export const sendMails = (context: Context): Job => ({
  name: 'send-mails',
  everyMs: 5000,
  wokenBy: 'mail',
  async run(signal) {
    const waiting = context.database.query.selectFrom('mails').select('id').where('due_at', 'is not', null)
    if (!(await waiting.limit(1).executeTakeFirst())) return
    // Loaded with the first mail.
    const { sendMails: send } = await import('../../messaging/mail/send-mails')
    await send(context, signal)
  },
})
