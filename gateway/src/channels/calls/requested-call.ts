import type { DialectId, Mode, PathContext, SearchProgress } from '@tollgate/dialects'
import type { RefusedPart } from '@tollgate/providers'

import type { ParsedBody } from './parsed-body'

/** What is requested, regardless of the channel. */
export interface RequestedCall {
  readonly mode: Mode
  /** The client's dialect. */
  readonly dialect: DialectId
  /** What the address tells about the call. */
  readonly pathContext: PathContext
  readonly isStream: boolean
  readonly body: ParsedBody
  /** A summary is requested, whose last item asks for it, in place of a compaction. */
  readonly isCompaction?: boolean
  /** The client's path with its query. */
  readonly path: string
  /** The client's headers; those of its dialect are forwarded to an upstream that speaks it too. */
  readonly headers?: Headers
  /** The limit of each response, where the balance sets one and the caller did not. */
  readonly maxTokens?: number | null
  /** What refusals of the channel taught about this model. */
  readonly lesson?: Lesson | undefined
  /** The searches of the chat are run here: how far it has come. Absent: it has none, or its vendor runs them. */
  readonly search?: SearchProgress | undefined
  /** The requested service tier is not sold, and is not passed on. */
  readonly withoutServiceTier?: boolean
}

/** How an upstream serves a model, as its refusals said. */
export interface Lesson {
  /** It serves chats by Responses; false: it has no such address. */
  readonly hasResponses?: boolean
  /** It compacts conversations; false: it has no such address. */
  readonly hasCompaction?: false
  /** It refuses calls in one piece. */
  readonly onlyStreams?: true
  /** It refuses these parts of requests. */
  readonly without?: readonly RefusedPart[]
  /** It refuses them in this request. Not remembered: other requests have other values, and other parts beside them. */
  readonly isConditional?: true
  /** It cannot read the reasoning in this request. Not remembered: the next request has its own. */
  readonly withoutReasoning?: true
}
