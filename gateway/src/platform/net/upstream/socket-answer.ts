import type { MessageReader } from '@tollgate/providers'

import { AnswerBody } from './answer-body'
import { MalformedAnswer } from './answer-head'
import { Cancelled, type Cancellation } from './cancellation'
import type { UpstreamAnswer } from './exchange'
import type { UpstreamRequest } from './upstream-request'
import { HandshakeRefused, type SocketListener, type UpstreamSocket } from './web-socket'

type Open = (listener: SocketListener) => Promise<UpstreamSocket>

const decoder = new TextDecoder()

/**
 * Sends a request as the first message of a WebSocket. Resolves when the connection is open; the body is what the reader makes of the
 * messages. A refused handshake resolves with the response that refused it.
 */
export async function answerOverSocket(
  { body: request }: Pick<UpstreamRequest, 'body'>,
  reader: MessageReader,
  cancellation: Cancellation,
  open: Open,
): Promise<UpstreamAnswer> {
  if (typeof request !== 'string') throw new TypeError('The first message of a WebSocket must be text')
  let socket: UpstreamSocket | null = null
  let isOver = false
  const body = new AnswerBody({
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    cancel: () => socket?.destroy(),
  })
  cancellation.onCancel(() => body.fail(new Cancelled()))
  const listener: SocketListener = {
    message(bytes) {
      const { bytes: read, isLast } = reader.read(decoder.decode(bytes))
      body.push(read)
      if (!isLast) return
      isOver = true
      body.end()
      socket?.close()
    },
    closed: (problem) =>
      body.fail(problem ?? new Error('The upstream closed the WebSocket before the end of its response')),
  }
  try {
    socket = await open(listener)
  } catch (error) {
    if (!(error instanceof HandshakeRefused)) throw error
    const { status } = error.answer
    if (status >= 200 && status < 300)
      throw new MalformedAnswer('The upstream does not speak WebSocket', { cause: error })
    return error.answer
  }
  if (isOver) socket.close()
  else socket.send(request)
  return { status: 200, headers: new Headers(), body }
}
