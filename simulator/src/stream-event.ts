export interface StreamEvent {
  /** The `event:` line, in dialects that have one. */
  readonly name?: string
  /** JSON text, or the bare text of a terminator. */
  readonly data: string
  /** An exception, in framings that tell it apart. */
  readonly isException?: boolean
}
