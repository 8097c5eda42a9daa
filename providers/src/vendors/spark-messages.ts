import { isObject, type JsonObject, parsedObject } from '@tollgate/dialects'

import type { MessageReader } from '../provider'

const encoder = new TextEncoder()
const noBytes = new Uint8Array()
const lastStatus = 2
/** More than any answer. */
const maxPieces = 100_000

/** Each message is an event; the one with an error or the last status ends the stream. */
export const sparkEvents = (): MessageReader => ({
  read(message) {
    const frame = parsedObject(message)
    // What is not JSON breaks the stream off.
    if (frame === null) return { bytes: noBytes, isLast: true }
    return { bytes: encoder.encode(`data: ${JSON.stringify(frame)}\n\n`), isLast: isLast(frame) }
  },
})

/** Collects the messages of an answer in one piece, which has the form of a message that says all. */
export function sparkAnswer(): MessageReader {
  const pieces: unknown[] = []
  /** What else the messages hold. */
  const [others, othersOfChoices] = [{}, {}]
  return {
    read(message) {
      const frame = parsedObject(message)
      if (frame === null || pieces.length > maxPieces) return { bytes: noBytes, isLast: true }
      const payload = memberOf(frame, 'payload')
      const choices = memberOf(payload, 'choices')
      Object.assign(others, payload)
      Object.assign(othersOfChoices, choices)
      const { text } = choices
      if (Array.isArray(text)) pieces.push(...text)
      if (!isLast(frame)) return { bytes: noBytes, isLast: false }
      const whole =
        'payload' in frame
          ? { ...frame, payload: { ...others, choices: { ...othersOfChoices, status: lastStatus, text: pieces } } }
          : frame
      return { bytes: encoder.encode(JSON.stringify(whole)), isLast: true }
    },
  }
}

function isLast(frame: JsonObject): boolean {
  const { code, status } = memberOf(frame, 'header')
  const { status: ofChoices } = memberOf(memberOf(frame, 'payload'), 'choices')
  return (code !== undefined && code !== 0) || status === lastStatus || ofChoices === lastStatus
}

function memberOf(of: JsonObject, name: string): JsonObject {
  const member = of[name]
  return isObject(member) ? member : {}
}
