import type { SessionProtocol } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { UpstreamError } from '../../channels/calls/upstream-error'
import { isOutOfQuota } from '../../billing/ledger/ledger'
import { holdsSecret } from '../../platform/text/mask'
import { SocketClosed } from '@tollgate/http-client/web-socket'
import type { ServedBy } from './charge-use'
import { closeCodes } from '../sessions/close-codes'
import { errorEvent, maskedEvent } from './error-event'
import type { SessionContext } from './hold'

/** How a session ends: the code of its close, and the error that the client gets. */
export interface Ending {
  readonly code: number
  readonly error: unknown
}

interface Deps {
  readonly session: SessionContext
  readonly served: ServedBy
  /** The client's. */
  readonly protocol: SessionProtocol
}

export const endingOfExpiry = (): Ending => ({ code: closeCodes.away, error: new AppError('realtime.expired') })

/** Returns the ending where the next response cannot be held, or the last one could not be charged. */
export function endingOfFailure(error: unknown, { call, deps }: SessionContext): Ending {
  if (!(error instanceof AppError))
    deps.ctx.log.error({ error, requestId: call.requestId }, 'a session failed unexpectedly')
  const known = error instanceof AppError ? error : new AppError('server.error', { cause: error })
  return { code: isOutOfQuota(known) ? closeCodes.refused : closeCodes.broken, error: known }
}

/** Returns the ending where the upstream closed its connection; `problem` is null where it was done. */
export function endingOfUpstream(problem: Error | null, deps: Deps): Ending {
  if (problem === null) return { code: closeCodes.done, error: null }
  return (
    (problem instanceof SocketClosed ? refusalIn(problem, deps) : null) ?? {
      code: closeCodes.broken,
      error: new AppError('upstream.unreachable', { cause: problem }),
    }
  )
}

/** Where the protocol has no event for it, an upstream says with its close why it refuses to go on. */
function refusalIn({ code, reason }: SocketClosed, { session, served, protocol }: Deps): Ending | null {
  const isRefusal = code === closeCodes.invalid || code === closeCodes.refused
  if (protocol.hasErrorEvents || !isRefusal || reason === '') return null
  const error = new UpstreamError({ fault: 'refused', status: 400, message: reason, secrets: secretsOf(served) })
  session.deps.ctx.log.warn({ error, requestId: session.call.requestId }, 'an upstream ended a session')
  return { code, error }
}

/** Returns an upstream's error event as a client may see it. */
export function shownError(text: string, { session, served }: Pick<Deps, 'session' | 'served'>): string {
  const secrets = secretsOf(served)
  return holdsSecret(text, secrets)
    ? errorEvent(new AppError('upstream.failed', { params: { status: 400 } }), session.call)
    : maskedEvent(text, secrets)
}

const secretsOf = ({ choice, prepared }: ServedBy): string[] => [choice.key.value, ...sentSecrets(prepared.request)]
