import type { PathContext } from '../views'
import type { JsonObject } from '../json'
import type { NeutralCall } from './call'
import type { ToolCalls } from '../usage'
import type { AnswerEvent } from './events'

/** What could not be said in the target's dialect, for the log: a short English phrase, as `top_k`. */
export type Warn = (what: string) => void

/** One dialect of chat calls, to and from the neutral form. Everything is pure and nothing but `readCall` throws. */
export interface ChatCodec extends EventFormat {
  /** A client's request. @throws DialectError when it is not allowed. */
  readonly readCall: (body: JsonObject, pathContext: PathContext) => NeutralCall
  /** What an answer may have and a client of the dialect cannot be told. Absent: nothing. */
  readonly lacks?: ReadonlySet<AnswerPart>
  /** Absent: OpenAI's rule. */
  readonly toolNames?: ToolNameRule
  /** A request for an upstream. */
  readonly writeCall: (call: NeutralCall, warn: Warn) => JsonObject
  /** Members of other dialects that `writeCall` says under another name. */
  readonly converts?: ReadonlySet<string>
  /** What few dialects can say of messages and tools, and this one can. Absent: nothing of it. */
  readonly rareWords?: ReadonlySet<RareWord>
  /** Only the account that signs a thought or a call takes it back; others refuse it. */
  readonly sealsThoughts?: true
  /** An upstream's whole answer. */
  readonly readAnswer: (answer: JsonObject) => readonly AnswerEvent[]
  /** A whole answer for a client. */
  readonly writeAnswer: (events: readonly AnswerEvent[], answering: Answering) => JsonObject
  /** Reads an upstream's stream. */
  readonly createReader: () => EventReader
  /** Writes a stream for a client. */
  readonly createWriter: (answering: Answering) => EventWriter
}

/**
 * `names`: who of several speaks. `strict-tools`: that calls follow the schema. `citations`: what an earlier answer is founded on.
 * `cited-documents`: that the model shall cite a document. `described-documents`: what it shall know of one.
 */
export type RareWord = 'names' | 'strict-tools' | 'citations' | 'cited-documents' | 'described-documents'

/** What an answer may have besides words and calls. `source`: a citation that names no page. */
export type AnswerPart =
  | 'thinking'
  | 'redacted-thinking'
  | 'signature'
  | 'search'
  | 'image'
  | 'sound'
  | 'citation'
  | 'source'

/** How the events of a stream are written. */
export interface EventFormat {
  readonly eventText: (event: JsonObject) => string
  /** The member that numbers the events of a stream, from 0. Absent where the dialect does not number them. */
  readonly numberMember?: string
}

/** Which names the tools of a call may have. */
export interface ToolNameRule {
  readonly maxLength: number
  readonly allowed: RegExp
  /** Finds the characters that are not allowed, all of them. */
  readonly refused: RegExp
}

/** A dialect that only upstreams speak. */
export type UpstreamCodec = Pick<
  ChatCodec,
  'writeCall' | 'readAnswer' | 'createReader' | 'toolNames' | 'converts' | 'rareWords' | 'sealsThoughts'
>

/** What an answer is written for. */
export interface Answering {
  /** The model as the client named it. */
  readonly model: string
  /** The client requested usage at the end of the stream. */
  readonly includeUsage: boolean
  /** Unix seconds. */
  readonly now: number
  /** Makes the ids that the dialect wants and the upstream did not give: the prefix with letters and digits behind it. */
  readonly newId: (prefix: string) => string
  /** The request, for dialects whose answers repeat it. */
  readonly call: NeutralCall
  /** What the answer is a turn of, for dialects whose answers say that. Absent: of nothing that is kept. */
  readonly turn?: AnsweredTurn
  /** For dialects whose answers tell how long they took: monotonic milliseconds, and when the request came. Absent: not measured. */
  readonly clock?: { monotonic(): number }
  readonly startedAt?: number
}

/** An answer as a turn of a conversation. */
interface AnsweredTurn {
  /** A later call may go on from it. */
  readonly isStored: boolean
  readonly previousResponseId: string | null
  readonly conversationId: string | null
}

/** A dialect that only clients speak. */
export type ClientCodec = Pick<
  ChatCodec,
  'readCall' | 'writeAnswer' | 'createWriter' | 'eventText' | 'numberMember' | 'lacks'
>

/** One event of a server-sent stream. */
export interface ServerEvent {
  /** Empty when the stream names none. */
  readonly name: string
  readonly data: string
}

export interface EventReader {
  read(event: ServerEvent): readonly AnswerEvent[]
  /** Built-in tools of the vendor that were seen to run so far. Absent where the dialect does not show them. */
  readonly toolCalls?: ToolCalls
  /** The upstream ended: what is still open is closed. An end in mid-answer is told by the missing `choice-end`. */
  end(): readonly AnswerEvent[]
}

export interface EventWriter {
  /**
   * Returns the events to send for these. Once two pieces of a text in turn are written in events that differ in nothing else,
   * so are all further pieces of that block.
   */
  write(events: readonly AnswerEvent[]): readonly JsonObject[]
  /** Returns the whole answer as it was written to its end; null before, and where it failed. Absent: the stream does not repeat it. */
  wholeAnswer?(): JsonObject | null
}

/** Returns how many milliseconds ago the request came; 0 where that is not measured. */
export const elapsedMs = ({ clock, startedAt = 0 }: Pick<Answering, 'clock' | 'startedAt'>): number =>
  clock ? clock.monotonic() - startedAt : 0
