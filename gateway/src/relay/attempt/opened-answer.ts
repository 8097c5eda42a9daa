import type { AnswerView, JsonObject, StreamTap } from '@tollgate/dialects'

import type { UpstreamAnswer } from '../../platform/net/upstream/exchange'
import type { AttemptClocks } from '../../channels/calls/clocks'
import type { Prepared } from '../../channels/calls/prepare'
import type { BytesOpening } from './open-bytes'
import type { StreamOpening } from './stream-opening'

interface Opened {
  readonly prepared: Prepared
  readonly clocks: AttemptClocks
  /** The upstream's headers. */
  readonly headers: UpstreamAnswer['headers']
  /** Milliseconds from the call's arrival to the first byte of its response. */
  readonly firstByteMs: number
}

/** A response read as a whole. */
export interface WholeAnswer extends Opened {
  readonly kind: 'whole'
  readonly isProven: true
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly json: JsonObject
  readonly view: AnswerView
}

/** A stream that has begun to produce content, or that the client already waits on. */
export interface StreamAnswer extends Opened, StreamOpening {
  readonly kind: 'stream'
  readonly tap: StreamTap
}

/** A response that is neither JSON nor events: audio, or plain text. */
export interface BytesAnswer extends Opened, BytesOpening {
  readonly kind: 'bytes'
}

/** A response that is delivered while it arrives. */
export type RunningAnswer = StreamAnswer | BytesAnswer

export type OpenAnswer = WholeAnswer | RunningAnswer
