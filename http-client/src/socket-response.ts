import { ResponseBody } from './response-body'
import { MalformedResponse } from './response-head'
import { Cancelled, type Cancellation } from './cancellation'
import type { UpstreamResponse } from './exchange'
import type { MessageReader, UpstreamRequest } from './upstream-request'
import { HandshakeRefused, type SocketListener, type UpstreamSocket } from './web-socket'

type Open = (listener: SocketListener) => Promise<UpstreamSocket>

const decoder = new TextDecoder()

/**
 * Sends a request as the first message of a WebSocket. Resolves when the connection is open; the body is what the reader makes of the
 * messages. A refused handshake resolves with the response that refused it.
 */
export async function sendOverSocket(
  { body: request }: Pick<UpstreamRequest, 'body'>,
  reader: MessageReader,
  cancellation: Cancellation,
  open: Open,
): Promise<UpstreamResponse> {
  if (typeof request !== 'string') throw new TypeError('The first message of a WebSocket must be text')
  let socket: UpstreamSocket | null = null
  let isOver = false
  const body = new ResponseBody({
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
    onClose: (problem) =>
      body.fail(problem ?? new Error('The upstream closed the WebSocket before the end of its response')),
  }
  try {
    socket = await open(listener)
  } catch (error) {
    if (!(error instanceof HandshakeRefused)) throw error
    const { status } = error.response
    if (status >= 200 && status < 300)
      throw new MalformedResponse('The upstream does not speak WebSocket', { cause: error })
    return error.response
  }
  if (isOver) socket.close()
  else socket.send(request)
  return { status: 200, headers: new Headers(), body }
}
