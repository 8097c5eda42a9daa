import type { IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import type { FailureContext } from '../errors/failure'
import type { PlatformFailure } from './platform-failure'

/** A public call of a platform whose work ends later. */
export interface TaskEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** What follows the platform's prefix; its groups are given to `answer`. */
  readonly path: RegExp
  readonly respond: (call: IncomingCall, deps: RelayDeps, named: string) => Promise<Response>
}

/** The public calls of one platform, which has a form of its own for errors. */
export interface TaskPlatformCalls {
  readonly prefix: RegExp
  /** Closed where the site offers no tasks but drawings. */
  readonly needsTaskEnabled?: boolean
  readonly failure: (error: unknown, context: FailureContext) => PlatformFailure
  /** Loaded with the first call. */
  readonly load: () => Promise<readonly TaskEndpoint[]>
}
