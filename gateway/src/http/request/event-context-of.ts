import type { MailParams } from '../../messaging/mail/mail-kinds'
import type { Call } from '../handler'

const maxUserAgentLength = 512

/** Returns where and when something was done, for a mail about it. */
export const eventContextOf = (
  { ctx, clientIp, request }: Pick<Call, 'ctx' | 'clientIp' | 'request'>,
  username: string,
): MailParams<'password-changed'> => ({
  username,
  ip: clientIp,
  userAgent: (request.headers.get('user-agent') ?? '').slice(0, maxUserAgentLength),
  at: ctx.clock.seconds(),
})
