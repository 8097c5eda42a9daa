import { connect, type Socket } from 'node:net'

import type { Gateway } from './gateway'

/** A connection on which anything may be said. */
export interface RawCall extends Disposable {
  readonly socket: Socket
  /** Everything that came so far. */
  readonly told: () => string
  /** Resolves with everything that came as soon as it is right, or the connection is closed. */
  until(isRight: (told: string) => boolean): Promise<string>
}

/** Connect, and send these bytes. */
export function rawCall(gateway: Gateway, sent: string): RawCall {
  const socket = connect(gateway.port, '127.0.0.1', () => socket.write(sent))
  let told = ''
  let isClosed = false
  let look = () => {}
  socket.on('data', (bytes) => {
    told += bytes.toString()
    look()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    look()
  })
  return {
    socket,
    told: () => told,
    until: (isRight) =>
      new Promise((resolve) => {
        look = () => {
          if (isClosed || isRight(told)) resolve(told)
        }
        look()
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** A request to the end of its head. */
export const head = (first: string, headers: Readonly<Record<string, string | number>>): string =>
  `${first}\r\n${Object.entries({ Host: 'gateway', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
