import type { Context } from '../context'
import { sendMails as send } from '../mail/send-mails'
import type { Job } from './leader'

/** Send the mails that wait. New ones wake it; the others are tried again when their pause is over. */
export const sendMails = (context: Context): Job => ({
  name: 'send-mails',
  everyMs: 5000,
  wokenBy: 'mail',
  run: (signal) => send(context, signal),
})
