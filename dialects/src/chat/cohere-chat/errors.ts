import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'

/** The body of an error. https://docs.cohere.com/reference/errors */
export const cohereError = ({ message }: ErrorView): JsonObject => ({ message })

/** An error inside a stream, which ends it. */
export const failedEnd = ({ message }: Pick<ErrorView, 'message'>): JsonObject => ({
  type: 'message-end',
  delta: { finish_reason: 'ERROR', error: message },
})
