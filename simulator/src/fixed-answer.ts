import type { Behaviour } from './behaviour'
import { deliveryOf } from './delivery'
import type { Call } from './dialect'
import { dialectOf } from './dialects'
import { chunked, headOf, lastChunk } from './transmit'

/** An answer as the bytes that are written, each time the same. */
export interface FixedAnswer {
  /** One for each frame of a stream: the head goes with the first, the end of the body with the last. */
  readonly writes: readonly Buffer[]
  readonly completionTokens: number
}

/** What the call's dialect says to it. @throws Refusal, RangeError, or Error where it has no such call. */
export function fixedAnswer(call: Call, behaviour: Behaviour): FixedAnswer {
  const dialect = dialectOf(call)
  const answer = dialect.answer(call, behaviour, { models: [], balance: 0 })
  if (!answer) throw new Error(`Nothing is said to ${call.method} ${call.path}`)
  const delivery = deliveryOf(answer, behaviour, dialect.wire)
  const isChunked = delivery.contentLength === null
  const frames = isChunked ? delivery.frames.map(chunked) : delivery.frames
  const writes = frames.map((frame, index) =>
    Buffer.concat([
      ...(index === 0 ? [headOf(delivery)] : []),
      frame,
      ...(isChunked && index === frames.length - 1 ? [lastChunk] : []),
    ]),
  )
  return { writes, completionTokens: answer.counted?.completionTokens ?? 0 }
}
