import type { Grant } from '@tollgate/contract'

import { createFlow } from '../../accounts/flows/create-flow'
import { takeFlow } from '../../accounts/flows/take-flow'
import { sessionHashOf } from '../../accounts/sessions/session-cookie'
import { AppError } from '../../platform/app-error'
import type { Call } from '../handler'
import { requireGrant } from '../guard'

/*
 * A browser streams a file to disk only by following an address, which carries neither the header that names the user nor the
 * proof of a step-up. A ticket replaces both: it is issued to a call that had them, and is valid once, for a minute, for one file,
 * in the same session.
 */

const subjectOf = (userId: number, file: string): string => `${userId} ${file}`

/**
 * Resolves with a ticket for a file, under the name that `redeemTicket` uses.
 * @throws AppError `auth.forbidden` for programs: they send the headers that the file's own route requires.
 */
export async function createTicket({ ctx, caller, request }: Call<'user'>, file: string): Promise<{ ticket: string }> {
  const browser = sessionHashOf(request)
  if (caller.isByAccessToken || browser === null) throw new AppError('auth.forbidden')
  return {
    ticket: await createFlow(ctx, 'download', { subject: subjectOf(caller.userId, file), browser, payload: {} }),
  }
}

interface Redeemed {
  readonly file: string
  readonly ticket: string
  /** A grant that the caller needs now, too. */
  readonly grant: Grant
}

/** Uses up a ticket. @throws AppError `auth.required`, `auth.forbidden`, `download.expired`. */
export async function redeemTicket(
  { ctx, caller, request }: Call<'optional'>,
  { file, ticket, grant }: Redeemed,
): Promise<void> {
  if (!caller || caller.isByAccessToken) throw new AppError('auth.required')
  requireGrant(caller, grant)
  const flow = { subject: subjectOf(caller.userId, file), browser: sessionHashOf(request), secret: ticket }
  await takeFlow(ctx, 'download', flow, async () => {})
}
