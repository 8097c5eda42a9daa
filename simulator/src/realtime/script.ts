import type { JsonObject } from '../json'

/** Tokens of one response by kind; cached ones are parts of the others. */
export interface RealtimeUsage {
  readonly textIn?: number
  readonly audioIn?: number
  readonly imageIn?: number
  readonly cachedText?: number
  readonly cachedAudio?: number
  readonly textOut?: number
  readonly audioOut?: number
}

/** How one response goes. */
export interface RealtimeBehaviour {
  readonly text?: string
  /** Deltas of a tenth of a second each. */
  readonly audio?: number
  /** Null: it is not reported. */
  readonly usage?: RealtimeUsage | null
  /** The response is complete when this resolves, or when it is cancelled. */
  readonly gate?: Promise<void>
  /** Sent verbatim in place of a response. */
  readonly messages?: Iterable<JsonObject>
  /** The connection breaks within the response or is closed after it; the end is sent twice; or the response has no id. */
  readonly fault?: 'break' | 'close' | 'repeat' | 'no-id'
}

/** How the input of a session is transcribed. */
export interface Transcription {
  readonly usage: JsonObject
  /** The transcript is complete when this resolves. */
  readonly gate: Promise<void> | undefined
  /** Its end is sent twice. */
  readonly isRepeated: boolean
}

/** What a session does with its connection. */
export interface SessionScript {
  readonly model: string
  transcription(): Transcription | undefined
  next(): RealtimeBehaviour
  send(text: string): void
  recordUsage(usage: RealtimeUsage): void
  break(): void
  close(): void
}

/** One session in a vendor's protocol. */
export interface StandInSession {
  receive(event: JsonObject): void
}
