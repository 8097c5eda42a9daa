import type { RefusedPart } from '@tollgate/providers'

/** How an upstream serves a model, as its refusals said. */
export interface Lesson {
  /** It serves chats by Responses; false: it has no such address. */
  readonly hasResponses?: boolean
  /** It refuses calls in one piece. */
  readonly onlyStreams?: true
  /** It refuses these parts of requests. */
  readonly without?: readonly RefusedPart[]
  /** It refuses them in this request. Not remembered: other requests have other values, and other parts beside them. */
  readonly isConditional?: true
  /** It cannot read the reasoning in this request. Not remembered: the next request has its own. */
  readonly withoutReasoning?: true
}
