import { STATUS_CODES } from 'node:http'

import type { Behaviour } from './behaviour'
import type { Delivery } from './delivery'
import type { Exchange } from './http/server'
import type { Outcome } from './record'

/** What the network took so far; kept current while the answer is under way. */
export interface Progress {
  bytesDelivered: number
  framesDelivered: number
  /** Nothing more is sent, and the connection stays open. */
  isStalled: boolean
}

const timeToReadMs = 20
export const lastChunk = Buffer.from('0\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** Send an answer at the pace and with the ending asked for. Resolves with how it went. */
export async function transmit(
  exchange: Exchange,
  delivery: Delivery,
  behaviour: Behaviour,
  progress: Progress,
): Promise<Outcome> {
  const { fault } = behaviour
  await exchange.wait(behaviour.ttftMs ?? 0)
  const isHeadless = (fault?.kind === 'reset' || fault?.kind === 'stall') && fault.when === 'before-headers'
  if (!isHeadless) {
    if (delivery.contentLength !== 'none') await exchange.write(headOf(delivery))
    await sendFrames(exchange, delivery, behaviour, progress)
  }
  // a reset throws away what the other side has not read yet; the frames before it are meant to arrive
  if (delivery.ending === 'reset' && progress.framesDelivered > 0) await exchange.wait(timeToReadMs)
  if (exchange.isGone) return 'aborted'
  return finish(exchange, delivery, progress)
}

async function finish(exchange: Exchange, delivery: Delivery, progress: Progress): Promise<Outcome> {
  if (delivery.ending === 'stall') {
    progress.isStalled = true
    await exchange.wait(Infinity)
    return 'aborted'
  }
  if (delivery.ending === 'reset') exchange.reset()
  else if (delivery.ending === 'close') exchange.close()
  else {
    if (delivery.contentLength === null) await exchange.write(lastChunk)
    if (exchange.isGone) return 'aborted'
    exchange.end()
    return 'completed'
  }
  return 'broken'
}

/** The status line and headers. */
export function headOf(delivery: Delivery): Buffer {
  const length =
    delivery.contentLength === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${delivery.contentLength}`
  const lines = Object.entries(delivery.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const reason = STATUS_CODES[delivery.status] ?? 'Unknown'
  return Buffer.from(`HTTP/1.1 ${delivery.status} ${reason}\r\n${lines.join('')}${length}\r\n\r\n`)
}

async function sendFrames(
  exchange: Exchange,
  delivery: Delivery,
  behaviour: Behaviour,
  progress: Progress,
): Promise<void> {
  const lateFrame = behaviour.usageLateMs ? delivery.frames.findLastIndex(hasUsage) : -1
  for (const [index, frame] of delivery.frames.entries()) {
    if (index > 0) await exchange.wait(behaviour.gapMs ?? 0)
    if (index === lateFrame) await exchange.wait(behaviour.usageLateMs ?? 0)
    if (behaviour.gate) await untilGone(exchange, behaviour.gate(index))
    if (exchange.isGone) return
    await sendFrame(exchange, frame, delivery, behaviour, progress)
    if (exchange.isGone) return
    progress.framesDelivered += 1
  }
}

const hasUsage = (frame: Buffer): boolean => /"usage(?:Metadata)?":\s*\{/.test(frame.toString('latin1'))

async function sendFrame(
  exchange: Exchange,
  frame: Buffer,
  delivery: Delivery,
  behaviour: Behaviour,
  progress: Progress,
): Promise<void> {
  const size = behaviour.drip ? 1 : (behaviour.splitAt ?? frame.length)
  for (let at = 0; at < frame.length && !exchange.isGone; at += size) {
    if (behaviour.drip) await exchange.wait(1000 / behaviour.drip)
    // let the network take each piece on its own
    else if (at > 0) await new Promise(setImmediate)
    const piece = frame.subarray(at, at + size)
    await exchange.write(delivery.contentLength === null ? encodeChunk(piece) : piece)
    if (!exchange.isGone) progress.bytesDelivered += piece.length
  }
}

export const encodeChunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, lineEnd])

async function untilGone(exchange: Exchange, gate: void | Promise<void>): Promise<void> {
  if (!gate) return
  const gone = Promise.withResolvers<void>()
  exchange.onGone(gone.resolve)
  await Promise.race([gate, gone.promise])
}
