import { connect, type Socket } from 'node:net'

import { webSocketFrame } from '@tollgate/simulator'

import type { RelayWorld } from './relay-world'

/** A client of a WebSocket that writes its frames itself. */
export interface RawSocketClient {
  readonly socket: Socket
  readonly userId: number
  readonly closed: Promise<void>
  /** Bytes that were read. */
  read(): number
  send(...frames: readonly Buffer[]): void
}

export const rawClientBalance = 10_000_000
export const masked = { isMasked: true }

/** Connects a new user to a path of the relay. */
export async function connectRawSocket(
  world: Pick<RelayWorld, 'url' | 'addUser' | 'addToken'>,
  path: string,
): Promise<RawSocketClient> {
  const userId = await world.addUser(rawClientBalance)
  const key = await world.addToken(userId)
  const { hostname, port, host } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const head = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: Bearer ${key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  let read = 0
  let isOpen = false
  socket.on('data', (bytes) => {
    read += bytes.length
    if (!isOpen && bytes.includes('101 Switching')) opened.resolve()
    isOpen = true
  })
  socket.on('close', () => closed.resolve())
  socket.on('error', () => closed.resolve())
  await opened.promise
  return {
    socket,
    userId,
    closed: closed.promise,
    read: () => read,
    send(...frames) {
      for (const frame of frames) socket.write(frame)
    },
  }
}

const megabyte = 1024 * 1024

/** What ends a WebSocket, whatever it is for. */
export const brokenFrames: Readonly<Record<string, (client: RawSocketClient) => void>> = {
  'does not mask its frames': (client) => client.send(webSocketFrame('text', '{}')),
  'announces a message larger than memory': (client) =>
    client.send(webSocketFrame('text', 'x', { ...masked, announced: 100_000 * megabyte })),
  'sends a message that is too large in fragments': (client) => {
    const part = Buffer.alloc(megabyte, 'a')
    client.send(webSocketFrame('text', part, { ...masked, isLast: false }))
    for (let count = 0; count < 30; count += 1)
      client.send(webSocketFrame('continuation', part, { ...masked, isLast: false }))
  },
  'sends text that is not UTF-8': (client) => client.send(webSocketFrame('text', Buffer.from([0xff, 0xfe]), masked)),
  'continues what was not begun': (client) => client.send(webSocketFrame('continuation', 'x', masked)),
  'sends bytes that do not begin a frame': (client) => client.send(Buffer.from('GET / HTTP/1.1\r\n\r\n')),
  'cuts the connection within a message': (client) => {
    client.send(webSocketFrame('text', 'half', { ...masked, announced: 100 }))
    client.socket.destroy()
  },
}
