/** How an upstream serves a model, as its refusals said. */
export interface Lesson {
  /** It serves chats by Responses; false: it has no such address. */
  readonly hasResponses?: boolean
  /** It refuses calls in one piece. */
  readonly onlyStreams?: true
}
