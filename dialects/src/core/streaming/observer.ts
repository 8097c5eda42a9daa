import type { StreamTap } from '../dialect'
import type { Usage } from '../usage'

/** Where a piece of text stands in its event. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** What becomes of an event: `hold` keeps it until another follows, `end` keeps it and all that follows until the call is charged. */
export type Verdict = 'pass' | 'drop' | 'hold' | 'end'

/** Learns from the events of one stream, in order. Never sees bytes, nor how the network cut them. */
export interface StreamObserver extends Omit<StreamTap, 'push' | 'end' | 'finish' | 'cut' | 'counter'> {
  /** Learns what an event reports. `event` is Latin-1. Not called after `end`. */
  observe(event: string): Verdict
  /**
   * Where the last observed event has its text, if it told one piece of text and nothing else: an event that differs in nothing
   * but that text tells nothing but another piece. Null where each event has to be observed.
   */
  readonly onlyText: TextRange | null
  /** The events to forward in place of the last observed one; null for the event itself. Absent where it is not changed. */
  readonly rewrite?: ((event: string) => readonly Uint8Array[] | null) | undefined
  /** Returns the events to add before the held end of the stream. `usage` is what the call was charged. */
  closing?(usage: Usage | null): Uint8Array
  /** Returns the events that end a stream that was cut at the limit of its output, in place of its own end. */
  ending(cut: StreamCut): Uint8Array
}

/** A stream that ends before its upstream ends it. */
export interface StreamCut {
  /** How many answers were requested. */
  readonly choices: number
  /** What the call was charged. */
  readonly usage: Usage | null
  /** How many events were forwarded. */
  readonly events: number
}
