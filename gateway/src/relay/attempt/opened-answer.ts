import type { AnswerView, JsonObject, StreamTap } from '@tollgate/dialects'

import type { UpstreamAnswer } from '../../upstream/exchange'
import type { AttemptClocks } from '../../channels/calls/clocks'
import type { Prepared } from '../../channels/calls/prepare'
import type { StreamOpening } from './stream-opening'

interface Opened {
  readonly prepared: Prepared
  readonly clocks: AttemptClocks
  /** Of the upstream. */
  readonly headers: UpstreamAnswer['headers']
  /** Milliseconds from the call's arrival to the first byte of its answer. */
  readonly firstByteMs: number
}

/** All of the answer. */
export interface WholeAnswer extends Opened {
  readonly kind: 'whole'
  readonly isProven: true
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly json: JsonObject
  readonly view: AnswerView
}

/** The answer has begun well, or is waited for in sight of the client. */
export interface StreamAnswer extends Opened, StreamOpening {
  readonly kind: 'stream'
  readonly tap: StreamTap
}

export type OpenAnswer = WholeAnswer | StreamAnswer
