import type { CallPlace } from '../dialect'
import type { JsonObject } from '../json'
import type { NeutralCall } from './call'
import type { ToolCalls } from '../usage'
import type { AnswerEvent } from './events'

/** What could not be said in the target's dialect, for the log: a short English phrase, as `top_k`. */
export type Warn = (what: string) => void

/** One dialect of chat calls, to and from the neutral form. Everything is pure and nothing but `readCall` throws. */
export interface ChatCodec {
  /** A client's request. @throws DialectError when it is not allowed. */
  readonly readCall: (body: JsonObject, place: CallPlace) => NeutralCall
  /** A request for an upstream. */
  readonly writeCall: (call: NeutralCall, warn: Warn) => JsonObject
  /** An upstream's whole answer. */
  readonly readAnswer: (answer: JsonObject) => readonly AnswerEvent[]
  /** A whole answer for a client. */
  readonly writeAnswer: (events: readonly AnswerEvent[], answering: Answering) => JsonObject
  /** Reads an upstream's stream. */
  readonly createReader: () => EventReader
  /** Writes a stream for a client. */
  readonly createWriter: (answering: Answering) => EventWriter
}

/** A dialect that only upstreams speak. */
export type UpstreamCodec = Pick<ChatCodec, 'writeCall' | 'readAnswer' | 'createReader'>

/** What an answer is written for. */
export interface Answering {
  /** The model as the client named it. */
  readonly model: string
  /** The client asked for usage at the end of the stream. */
  readonly includeUsage: boolean
  /** Unix seconds. */
  readonly now: number
  /** Makes the ids that the dialect wants and the upstream did not give: the prefix with letters and digits behind it. */
  readonly newId: (prefix: string) => string
  /** The request, for dialects whose answers repeat it. */
  readonly call: NeutralCall
}

/** One event of a server-sent stream. */
export interface ServerEvent {
  /** Empty when the stream names none. */
  readonly name: string
  readonly data: string
}

export interface EventReader {
  read(event: ServerEvent): readonly AnswerEvent[]
  /**
   * As `read` of an event that differs in nothing but its text from the one read last, which was read to one piece of text and
   * nothing else (but the usage, where there is `counts`). Null where the reader must see all of it; absent where it always must.
   */
  again?(text: string): readonly AnswerEvent[] | null
  /** The usage alone of the last event that was told to `again` and not read. Present where events of text tell the usage so far. */
  counts?(event: ServerEvent): readonly AnswerEvent[]
  /** Built-in tools of the vendor that were seen to run so far. Absent where the dialect does not show them. */
  readonly toolCalls?: ToolCalls
  /** The upstream ended: what is still open is closed. An end in mid-answer is told by the missing `choice-end`. */
  end(): readonly AnswerEvent[]
}

export interface EventWriter {
  /**
   * The text to send for these events: whole server-sent events, or an empty text. A piece of text that is written in the form
   * of the one before it is the beginning of more of them: further pieces of that block are written so, too.
   */
  write(events: readonly AnswerEvent[]): string
  /** So many events more were sent than were written here. Present where the last number in each event is its own. */
  skip?(events: number): void
}
