import type { ErrorView } from '../views'
import type { JsonObject } from '../json'
import type { ReportedUsage } from '../usage'
import type { Citation } from './call'

/**
 * An answer in no dialect's form: the events of a stream. A whole answer is the same events read at once, so what a stream
 * says and what a whole answer says cannot differ.
 *
 * Of one choice, at most one block is open at a time; blocks are numbered from 0 without gaps, in the order they begin.
 * The reader of a dialect that mixes its blocks closes one before it opens the next.
 * First comes `answer-start`; then, for each choice, blocks and a `choice-end`; `usage` as often as it changes, each time the
 * whole; last `answer-end`. After `failure` nothing follows.
 */
export type AnswerEvent =
  | AnswerStart
  | BlockStart
  | BlockDelta
  | BlockEnd
  | LogProbabilities
  | ChoiceEnd
  | UsageEvent
  | Failure
  | LeftOut
  | AnswerEnd

interface AnswerStart {
  readonly type: 'answer-start'
  /** The vendor's, or empty. */
  readonly id: string
  readonly model: string
  /** Unix seconds; 0 when the dialect does not say. */
  readonly createdAt: number
  /** The id is that of a conversation, by which a client may go on with it. */
  readonly isConversation?: boolean
}

/** What a block is. */
export type BlockKind =
  | { readonly kind: 'text' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'thinking'; readonly isSummary?: boolean; readonly id?: string }
  /** Nothing to read: the signature is all, and comes as a delta. */
  | { readonly kind: 'redacted-thinking' }
  | {
      readonly kind: 'tool-call'
      readonly id: string
      readonly name: string
      readonly itemId?: string
      readonly isCustom?: boolean
    }
  /** Comes whole: its delta holds it. */
  | { readonly kind: 'media' }
  | ({ readonly kind: 'search' } & Search)
  /** A block that only its own dialect understands. */
  | { readonly kind: 'own'; readonly dialect: string; readonly value: JsonObject }

/** A search of the web that the vendor ran. */
export interface Search {
  readonly queries: readonly string[]
  /** What was found, as far as the dialect says. */
  readonly pages: readonly Page[]
  /** As the dialect wrote it; its own writer uses it as it is. */
  readonly own?: { readonly dialect: string; readonly value: JsonObject }
}

export interface Page {
  readonly url: string
  /** Empty where the dialect says none. */
  readonly title: string
}

export interface BlockStart {
  readonly type: 'block-start'
  readonly choice: number
  readonly block: number
  readonly of: BlockKind
}

export type Delta =
  /** More of the text, the refusal, the thought, or of the JSON text of a call's arguments. */
  | { readonly kind: 'text'; readonly text: string }
  /** Follows any part of a thought; precedes the text of a tool call, so that a writer can put it into the call's beginning. */
  | { readonly kind: 'signature'; readonly signature: string }
  | { readonly kind: 'citation'; readonly citation: Citation }
  /** A picture or sound, or a piece of it. Base64. */
  | {
      readonly kind: 'media'
      readonly mime: string
      readonly data: string
      readonly transcript?: string
      readonly id?: string
    }
  | { readonly kind: 'own'; readonly dialect: string; readonly value: JsonObject }

export interface BlockDelta {
  readonly type: 'block-delta'
  readonly choice: number
  readonly block: number
  readonly delta: Delta
}

interface BlockEnd {
  readonly type: 'block-end'
  readonly choice: number
  readonly block: number
}

interface LogProbability {
  readonly token: string
  readonly logProbability: number
  readonly bytes: readonly number[] | null
  readonly top: readonly Omit<LogProbability, 'top'>[]
}

/** Belongs to the text deltas before it. */
interface LogProbabilities {
  readonly type: 'log-probabilities'
  readonly choice: number
  readonly tokens: readonly LogProbability[]
}

/** Why a choice ended. What a dialect says beyond these is `other`, with its own word kept. */
export type FinishReason =
  | 'stop'
  | 'stop-sequence'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  /** The vendor paused a long turn: the client sends the answer back to go on. */
  | 'pause'
  | 'context-window'
  | 'other'

export interface ChoiceEnd {
  readonly type: 'choice-end'
  readonly choice: number
  readonly reason: FinishReason
  /** In the words of the dialect it was read from. */
  readonly rawReason: string
  readonly stopSequence: string | null
}

interface UsageEvent {
  readonly type: 'usage'
  readonly usage: ReportedUsage
}

interface Failure {
  readonly type: 'failure'
  readonly error: ErrorView
}

/** Something that the reader of the dialect has no word for. May come anywhere; writers pass it over. */
interface LeftOut {
  readonly type: 'left-out'
  /** As the log and the client are told. */
  readonly what: string
}

interface AnswerEnd {
  readonly type: 'answer-end'
}
