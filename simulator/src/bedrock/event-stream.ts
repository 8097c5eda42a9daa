import { crc32 } from 'node:zlib'

import type { Framing, StreamEvent } from '../wire'

const preludeLength = 12
const checksumLength = 4
const textHeader = 7

/** Frames of AWS: lengths, headers, payload, and a checksum over each part. */
const framing = (typeOf: (event: StreamEvent) => string, payload: (event: StreamEvent) => string): Framing => ({
  contentType: 'application/vnd.amazon.eventstream',
  frame: (event) => frameOf(headersOf(event, typeOf(event)), Buffer.from(payload(event))),
  createMalformedEvent() {
    const frame = frameOf(headersOf({ data: '{}' }, 'chunk'), Buffer.from('{}'))
    frame.writeUInt32BE(0, frame.length - checksumLength)
    return frame
  },
})

/** InvokeModel packs the events of the model. */
export const eventStream: Framing = framing(() => 'chunk', payloadOf)

/** Converse has events of its own. */
export const converseStream: Framing = framing(
  ({ name = '' }) => name,
  ({ data }) => data,
)

function headersOf({ name = '', isException }: StreamEvent, type: string): Record<string, string> {
  const json = { ':content-type': 'application/json' }
  if (isException) return { ':exception-type': name, ...json, ':message-type': 'exception' }
  return { ':event-type': type, ...json, ':message-type': 'event' }
}

/** Chunks are padded, so that their length tells little of what is said. */
function payloadOf({ data, isException }: StreamEvent): string {
  if (isException) return data
  return JSON.stringify({
    bytes: Buffer.from(data).toString('base64'),
    p: 'abcdefghijklmnopqrstuvwxyz'.slice(data.length % 26),
  })
}

/** https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream */
function frameOf(headers: Readonly<Record<string, string>>, payload: Buffer): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerOf(name, value)))
  const frame = Buffer.alloc(preludeLength + head.length + payload.length + checksumLength)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  head.copy(frame, preludeLength)
  payload.copy(frame, preludeLength + head.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -checksumLength)), frame.length - checksumLength)
  return frame
}

function headerOf(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([textHeader]),
    length,
    Buffer.from(value),
  ])
}
