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
  /** Milliseconds that a stream waits, besides its gap, before the last frame with usage. */
  readonly usageLateMs?: number
  /** Replaces the reported usage, whatever it says. */
  readonly usageOverride?: unknown
  readonly cachedTokens?: number
  readonly audioTokens?: number
  readonly imageTokens?: number
  readonly reasoningTokens?: number
  readonly completionAudioTokens?: number
  /** Prompt tokens written to a cache for five minutes, in dialects that report them. */
  readonly cacheWriteTokens?: number
  /** Prompt tokens written to a cache for an hour. */
  readonly cacheWriteHourTokens?: number
  /** Words of thought before the answer, each a token of it. Default 4 when the request asks for thoughts to read, else none. */
  readonly thinking?: number
  /** The reasoning is sent encrypted only. */
  readonly redacted?: boolean
  /** Searches of the vendor before the answer, which then cites them. Default 1 when the request lets it search. */
  readonly searches?: number
  /** Runs of the code interpreter before the answer, all in one container, in dialects that tell. */
  readonly codeRuns?: number
  /** Pictures in the answer, in dialects that draw. Default 1 when the request asks for pictures. */
  readonly images?: number
  /** How the answer ends, instead of the way it would: then no tools are called unless `toolCalls` says so. */
  readonly ending?: Ending
  /** How many tool calls to answer with; default: one for each tool, unless the request carries tool results. */
  readonly toolCalls?: number
  /** The only tool to call, by its name. Default: any. */
  readonly tool?: RegExp
  /** The arguments of each call; default: made up from its schema. */
  readonly toolArguments?: readonly unknown[]
  /** A stream of Gemini comes as the pieces of one JSON list, whatever form was requested. */
  readonly arrayStream?: boolean
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
 * `refusal`: the model declines, in its own words. `content-filter`: the vendor cuts it off. `blocked`: the prompt itself is
 * turned away. `pause`: the vendor stops a long turn, to be continued. `failed`: the vendor breaks down over the answer.
 * What a dialect has no word for is said in the nearest one.
 */
export type Ending =
  | 'stop'
  | 'length'
  | 'refusal'
  | 'content-filter'
  | 'blocked'
  | 'pause'
  | 'context-window'
  | 'failed'

/**
 * `asked`: as the protocol says (always in whole answers, in streams when asked for). `always`, `none`: whatever was asked.
 * `every-chunk`: growing, in each chunk. `duplicate`: the usage chunk twice. `last-choice`: in the chunk with the finish reason.
 */
export type UsageReport = 'asked' | 'always' | 'none' | 'every-chunk' | 'duplicate' | 'last-choice'

/** An error in OpenAI's terms, which every dialect says in its own. */
export interface NamedError {
  readonly message: string
  readonly type: string
  readonly code: string | null
}

export type Fault =
  /** An HTTP error with any body. */
  | {
      readonly kind: 'status'
      readonly status: number
      /** Said as the dialect says errors; a `body` is sent as it is. */
      readonly error?: NamedError
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** HTTP 200 whose body, first event or a later event is an error object. */
  | {
      readonly kind: 'error-in-200'
      readonly afterFrames?: FrameCount
      readonly status?: number
      readonly error?: NamedError
    }
  /** HTTP 200 with this object instead of an answer: as the body, or as the only event of a stream. */
  | { readonly kind: 'object-in-200'; readonly object: unknown }
  /** HTTP 200 with this body instead of an answer. */
  | { readonly kind: 'body'; readonly contentType: string; readonly text: string }
  /** HTTP 200 whose body begins with this text and continues with this many megabytes of spaces. */
  | {
      readonly kind: 'flood'
      readonly contentType: string
      readonly text: string
      readonly megabytes: number
      /** As gzip: small on the way, huge when it is unpacked. */
      readonly isPacked?: boolean
    }
  /** These bytes instead of an answer, head included, and the connection is closed. */
  | { readonly kind: 'raw'; readonly text: string }
  /** A well-framed answer that stops in the middle of its JSON. A stream stops in the middle of a frame. */
  | { readonly kind: 'truncated' }
  /** A stream frame that is no JSON, after some good ones. */
  | { readonly kind: 'malformed-frame'; readonly afterFrames: number }
  /** The connection is reset: before the headers, after them, or after this many frames. A whole answer counts as two frames, cut in half. */
  | { readonly kind: 'reset'; readonly when: Moment }
  /** The connection is closed politely without the end of the answer. */
  | { readonly kind: 'cut'; readonly afterFrames: FrameCount }
  /** Nothing more comes, and the connection stays open. */
  | { readonly kind: 'stall'; readonly when: Moment }

type Moment = 'before-headers' | 'after-headers' | { readonly afterFrames: FrameCount }

/** `start-up`: those that come before a stream says anything. Of a whole answer its first half. */
export type FrameCount = number | 'start-up'
