import type { Failure } from '../session/session'

/** A call that did not give a whole answer. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  constructor(readonly failure: Failure) {
    super(failure.message ?? failure.kind)
  }
}

/** Whatever was thrown by a call, as it is kept with the answer. */
export const failureOf = (error: unknown): Failure => (error instanceof ChatError ? error.failure : { kind: 'network' })
