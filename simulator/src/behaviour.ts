/** How a stand-in upstream answers one request. Everything left out is the plain, healthy answer. */
export interface Behaviour {
  /** Completion tokens to produce: one word each. Default 8. */
  readonly tokens?: number
  /** The exact answer text instead of generated words. */
  readonly text?: string
  /** Prompt tokens to report; default: counted from the request. */
  readonly promptTokens?: number
  /** Milliseconds until the first byte of the answer. */
  readonly ttftMs?: number
  /** Milliseconds between the frames of a stream. */
  readonly gapMs?: number
  /** Awaited before each frame of a stream; a library user's way to hold a stream at an exact frame. */
  readonly gate?: (frame: number) => void | Promise<void>
  readonly usage?: UsageReport
  /** Replaces the reported usage, whatever it says. */
  readonly usageOverride?: unknown
  readonly cachedTokens?: number
  readonly audioTokens?: number
  readonly imageTokens?: number
  readonly reasoningTokens?: number
  readonly completionAudioTokens?: number
  /** How many tool calls to answer with; default: one for each tool, unless the request carries tool results. */
  readonly toolCalls?: number
  /** Fields no client knows, in places no client expects. */
  readonly unknownFields?: boolean
  /** Lines of a stream end in CR LF. */
  readonly crlf?: boolean
  /** Comment lines between the events of a stream. */
  readonly comments?: boolean
  /** False: the stream ends without its last event. */
  readonly done?: boolean
  readonly gzip?: boolean
  /** Bytes after which each write is cut, wherever that falls. */
  readonly splitAt?: number
  /** Frames that leave in one write. */
  readonly joinFrames?: number
  /** Bytes of one content frame: a single huge delta in the middle of the stream. */
  readonly hugeFrame?: number
  /** Bytes a second, one byte at a time. */
  readonly drip?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly fault?: Fault
  /** Apply the fault to each n-th matching request only. Default 1: to all. */
  readonly every?: number
}

/**
 * `asked`: as the protocol says (always in whole answers, in streams when asked for). `always`, `none`: whatever was asked.
 * `every-chunk`: growing, in each chunk. `duplicate`: the usage chunk twice. `last-choice`: in the chunk with the finish reason.
 */
export type UsageReport = 'asked' | 'always' | 'none' | 'every-chunk' | 'duplicate' | 'last-choice'

export type Fault =
  /** An HTTP error with any body. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** HTTP 200 whose body, first event or a later event is an error object. */
  | { readonly kind: 'error-in-200'; readonly afterFrames?: number; readonly error?: unknown }
  /** HTTP 200 with this body instead of an answer. */
  | { readonly kind: 'body'; readonly contentType: string; readonly text: string }
  /** A well-framed answer that stops in the middle of its JSON. A stream stops in the middle of a frame. */
  | { readonly kind: 'truncated' }
  /** A stream frame that is no JSON, after some good ones. */
  | { readonly kind: 'malformed-frame'; readonly afterFrames: number }
  /** The connection is reset: before the headers, after them, or after so many frames. A whole answer counts as two frames, cut in half. */
  | { readonly kind: 'reset'; readonly when: 'before-headers' | 'after-headers' | { readonly afterFrames: number } }
  /** The connection is closed politely without the end of the answer. */
  | { readonly kind: 'cut'; readonly afterFrames: number }
  /** Nothing more comes, and the connection stays open. */
  | { readonly kind: 'stall'; readonly when: 'before-headers' | 'after-headers' | { readonly afterFrames: number } }
