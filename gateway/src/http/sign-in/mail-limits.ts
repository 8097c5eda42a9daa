import { mailBox } from '../../accounts/users/mail-address'
import { AppError } from '../../platform/app-error'
import { databaseLimiter } from '../limits/database-limiter'
import type { Limit } from '../limits/limiter'
import { sha256 } from '../../platform/store/seal'
import { limitAddress } from '../../accounts/callers/limit-address'
import type { Call } from '../handler'

const hour = 3600

/** As long as the button for another code is disabled. */
const pause: Limit = { points: 1, durationSeconds: 30 }
const ofBox: Limit = { points: 5, durationSeconds: hour }
const ofBoxByDay: Limit = { points: 15, durationSeconds: 24 * hour }

/**
 * Allows a mail unless its mailbox, however it is spelled, had too many, or the caller's network address for this purpose. Counted alike for
 * mailboxes of accounts and of strangers.
 * @throws AppError `rate.limited`.
 */
export async function limitMails(
  to: string,
  purpose: 'code' | 'reset' | 'test',
  { ctx, clientIp }: Pick<Call, 'ctx' | 'clientIp'>,
): Promise<void> {
  const limiter = databaseLimiter(ctx.database, ctx.clock)
  const box = `mail:box:${sha256(mailBox(to))}`
  const ofAddress: Limit = { points: ctx.catalog.current.options.MailsOfAddress, durationSeconds: hour }
  const rules = [
    [`mail:${purpose}:${limitAddress(clientIp)}`, ofAddress],
    [box, pause],
    [box, ofBox],
    [box, ofBoxByDay],
  ] as const
  for (const [key, limit] of rules) {
    const { allowed, retryAfterSeconds } = await limiter.consume(key, limit)
    if (!allowed) throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
  }
}
