import { createHash } from 'node:crypto'

/** What a frame of a WebSocket holds. RFC 6455, section 5.2. */
const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

type FrameKind = keyof typeof opcodes

interface FrameOptions {
  /** False: more of the message follows. */
  readonly isLast?: boolean
  /** As clients must and servers must not. */
  readonly isMasked?: boolean
  /** The length that is told, where it is not the payload's. */
  readonly announced?: number
}

/** Returns the bytes of one frame. */
export function webSocketFrame(kind: FrameKind, payload: Buffer | string = '', options: FrameOptions = {}): Buffer {
  const bytes = Buffer.from(payload)
  const { isLast = true, isMasked = false, announced = bytes.length } = options
  const first = (isLast ? 0x80 : 0) | opcodes[kind]
  const mask = isMasked ? 0x80 : 0
  // A mask of zeros leaves the payload as it is.
  const key = Buffer.alloc(isMasked ? 4 : 0)
  if (announced < 126) return Buffer.concat([Buffer.from([first, mask | announced]), key, bytes])
  const length = Buffer.alloc(announced < 0x1_00_00 ? 2 : 8)
  if (length.length === 2) length.writeUInt16BE(announced)
  else length.writeBigUInt64BE(BigInt(announced))
  return Buffer.concat([Buffer.from([first, mask | (length.length === 2 ? 126 : 127)]), length, key, bytes])
}

/** Returns the response that accepts a handshake. */
export const handshakeAccepted = (key: string): Buffer =>
  Buffer.from(
    [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )

/** Returns the text of the first whole, masked text frame in what a client sent; null while it is not there. */
export function firstClientText(bytes: Buffer): string | null {
  const short = (bytes[1] ?? 0) & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const maskAt = 2 + lengthBytes
  if (bytes.length < maskAt + 4) return null
  const length =
    lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short
  const start = maskAt + 4
  if (bytes.length < start + length) return null
  const mask = bytes.subarray(maskAt, start)
  const payload = Buffer.from(bytes.subarray(start, start + length))
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] ?? 0)
  return payload.toString('utf8')
}
