import type { Failure } from '../session/session'

/** A call without a complete response. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  constructor(readonly failure: Failure) {
    super(failure.message ?? failure.kind)
  }
}

/** Converts anything thrown by a call into the stored form. */
export const failureOf = (error: unknown): Failure => (error instanceof ChatError ? error.failure : { kind: 'network' })
