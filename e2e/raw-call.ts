import { connect, type Socket } from 'node:net'

import type { Gateway } from './gateway'

/** A connection that sends arbitrary bytes. */
export interface RawCall extends Disposable {
  readonly socket: Socket
  /** Everything received so far. */
  readonly readReceived: () => string
  /** Resolves with everything received once `isRight` accepts it or the connection is closed. */
  until(isRight: (received: string) => boolean): Promise<string>
}

/** Connects and sends these bytes. */
export function rawCall(gateway: Gateway, sent: string): RawCall {
  const socket = connect(gateway.port, '127.0.0.1', () => socket.write(sent))
  let received = ''
  let isClosed = false
  let check = () => {}
  socket.on('data', (bytes) => {
    received += bytes.toString()
    check()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    check()
  })
  return {
    socket,
    readReceived: () => received,
    until: (isRight) =>
      new Promise((resolve) => {
        check = () => {
          if (isClosed || isRight(received)) resolve(received)
        }
        check()
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Returns a request up to the end of its headers. */
export const head = (first: string, headers: Readonly<Record<string, string | number>>): string =>
  `${first}\r\n${Object.entries({ Host: 'gateway', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
