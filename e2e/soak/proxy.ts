import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands before a server and does to connections what networks and crowded servers do. */
export interface Proxy {
  readonly port: number
  /** As if it were not there; connections that were held are closed. */
  pass(): void
  /** Everything that goes through is late by this, both ways. */
  slow(milliseconds: number): void
  /** New connections are closed at once. */
  refuse(): void
  /** New connections are taken and never answered. */
  hold(): void
  /** All open connections break. */
  cut(): void
  close(): void
}

type Manner = 'pass' | 'refuse' | 'hold'

/** Listen on a free port of loopback for a server on another one. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  const open = new Set<Socket>()
  const held = new Set<Socket>()
  let manner: Manner = 'pass'
  let delayMs = 0

  const server = createServer((client) => {
    client.on('error', () => {})
    if (manner === 'refuse') client.destroy()
    else if (manner === 'hold') held.add(client)
    else link(client)
  })

  function link(client: Socket) {
    const target = connect(targetPort, '127.0.0.1')
    target.on('error', () => {})
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      forward(from, to, () => delayMs)
    }
  }

  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise

  const release = () => {
    for (const client of held) client.destroy()
    held.clear()
  }
  const cut = () => {
    release()
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    pass() {
      manner = 'pass'
      delayMs = 0
      release()
    },
    slow: (milliseconds) => void (delayMs = milliseconds),
    refuse: () => void (manner = 'refuse'),
    hold: () => void (manner = 'hold'),
    cut,
    close() {
      server.close()
      cut()
    },
  }
}

/** One direction, in order: nothing is read while something waits to be written. */
function forward(from: Socket, to: Socket, delayMs: () => number): void {
  const write = (bytes: Buffer) => {
    if (!to.destroyed) to.write(bytes, () => from.resume())
  }
  from.setNoDelay(true)
  from.on('data', (bytes: Buffer) => {
    from.pause()
    const late = delayMs()
    if (late === 0) write(bytes)
    else setTimeout(() => write(bytes), late)
  })
  from.on('end', () => to.end())
}
