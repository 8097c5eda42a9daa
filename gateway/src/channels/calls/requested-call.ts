import type { CallPlace, DialectId, Mode } from '@tollgate/dialects'

import type { ParsedBody } from './parsed-body'

/** What is asked for, regardless of the channel. */
export interface RequestedCall {
  readonly mode: Mode
  /** What the client speaks. */
  readonly dialect: DialectId
  /** What the address says of the call. */
  readonly place: CallPlace
  readonly isStream: boolean
  readonly body: ParsedBody
  /** The client's path with its query. */
  readonly path: string
  /** The client's; those of its dialect go on to an upstream that speaks it too. */
  readonly headers?: Headers
  /** The limit of each answer, where the balance sets one and the caller did not. */
  readonly maxTokens?: number | null
  /** The service tier that is asked for is not sold, and is not passed on. */
  readonly withoutTier?: boolean
}
