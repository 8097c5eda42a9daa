import { aCertificateFor } from '../gateway/test/tls'

/** A proxy that ends TLS, as stands before a gateway that serves the public. */
export interface TlsFront extends Disposable {
  /** `https://localhost:<port>` */
  readonly url: string
}

interface Side {
  peer: Bun.Socket<Side> | null
  unsent: Buffer
}

function forward(socket: Bun.Socket<Side>, bytes: Buffer): void {
  socket.data.unsent = Buffer.concat([socket.data.unsent, bytes])
  flush(socket)
}

function flush(socket: Bun.Socket<Side>): void {
  const { data } = socket
  if (data.unsent.length > 0) data.unsent = data.unsent.subarray(Math.max(socket.write(data.unsent), 0))
}

/** Starts one before the gateway at this port. */
export function startTlsFront(port: number): TlsFront {
  const certified = aCertificateFor('localhost')
  const server = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    tls: certified.tls,
    socket: {
      open(socket) {
        const early: Buffer[] = []
        socket.data = { peer: null, unsent: Buffer.alloc(0) }
        void Bun.connect<Side>({
          hostname: '127.0.0.1',
          port,
          data: { peer: socket, unsent: Buffer.alloc(0) },
          socket: {
            open(peer) {
              socket.data.peer = peer
              for (const bytes of early) forward(peer, bytes)
            },
            data: (_, bytes) => forward(socket, bytes),
            drain: flush,
            close: () => void socket.end(),
          },
        })
        earlyOf.set(socket, early)
      },
      data(socket, bytes) {
        const { peer } = socket.data
        if (peer) forward(peer, bytes)
        else earlyOf.get(socket)?.push(bytes)
      },
      drain: flush,
      close: (socket) => void socket.data.peer?.end(),
    },
  })
  return {
    url: `https://localhost:${server.port}`,
    [Symbol.dispose]() {
      server.stop(true)
      certified[Symbol.dispose]()
    },
  }
}

/** What a client sent before the gateway was connected. */
const earlyOf = new WeakMap<Bun.Socket<Side>, Buffer[]>()
