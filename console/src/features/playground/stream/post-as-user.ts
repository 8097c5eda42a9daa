import { ApiError, requestIdHeader, userIdHeader } from '@tollgate/contract'

import { toApiError } from '../../../lib/api/api'
import { currentLanguage } from '../../../lib/text/i18n'
import { storedUser } from '../../../lib/api/session'
import { errorIn } from './chunk'
import type { Failure } from '../session/session'

/** Posts a call to a model as the signed-in user. @throws TypeError without a network; AbortError when aborted. */
export const postAsUser = (path: `/pg/${string}`, body: object, signal: AbortSignal): Promise<Response> =>
  fetch(`${location.origin}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': currentLanguage(),
      [userIdHeader]: String(storedUser.get()?.id ?? ''),
    },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  })

export interface Answered {
  readonly status: number
  readonly requestId: string | undefined
}

export const answeredBy = ({ status, headers }: Response): Answered => ({
  status,
  requestId: headers.get(requestIdHeader) ?? undefined,
})

/** @throws ChatError when a response in one piece refuses the call. */
export function failIfRefused(value: unknown, answer: Answered): void {
  const error = errorIn(value)
  if (isSessionOver(answer.status, error?.code)) {
    // Handled as everywhere: the reader is led to the sign-in and back.
    toApiError(new ApiError(error?.message ?? '', 401, undefined, answer.requestId))
    throw new ChatError({ kind: 'signed-out', ...answer })
  }
  if (error) throw new ChatError({ kind: 'refused', ...answer, ...error })
}

/** Whether the caller was refused, not the call: any other 401 comes from the upstream. */
const isSessionOver = (status: number, code: string | undefined) =>
  status === 401 && (code?.startsWith('auth.') ?? false)

/** A call without a complete response. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  constructor(readonly failure: Failure) {
    super(failure.message ?? failure.kind)
  }
}

/** Converts anything thrown by a call into the stored form. */
export const failureOf = (error: unknown): Failure => (error instanceof ChatError ? error.failure : { kind: 'network' })
