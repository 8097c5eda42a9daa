/** What is wrong with a member of a request, in the names OpenAI's API uses. */
export type DialectErrorCode =
  | 'missing_required_parameter'
  | 'invalid_type'
  | 'invalid_value'
  | 'invalid_stream_id'
  | 'empty_array'
  | 'empty_string'
  | 'array_above_max_length'
  | 'string_above_max_length'
  | 'integer_below_min_value'
  | 'integer_above_max_value'
  | 'nesting_too_deep'
  | 'structure_too_large'
  | 'ambiguous_parameter'
  | 'thread_unsupported_request'

/** A request that its dialect does not allow: HTTP 400. The message is English and names nothing but the member. */
export class DialectError extends Error {
  override readonly name = 'DialectError'

  constructor(
    /** The member at fault, null for the body as a whole. */
    readonly param: string | null,
    readonly code: DialectErrorCode,
    message: string,
  ) {
    super(message)
  }
}
