import { dialects, isObject } from '@tollgate/dialects'

import { failureOf, type FailureContext } from '../../errors/failure'
import type { PlatformFailure } from '../platform-failure'

/** Writes a failed call about tasks in the form of OpenAI's API. */
export function commonFailure(error: unknown, context: FailureContext): PlatformFailure {
  const failure = failureOf(error, context)
  const { status, retryAfterSeconds } = failure
  const body = dialects['openai-chat'].errorBody(failure)
  return { status, body: isObject(body) ? body : {}, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}
