import { isObject, type JsonObject } from '@tollgate/dialects'

export interface RealtimeClient extends Disposable {
  /** Every event that arrived. */
  readonly events: readonly JsonObject[]
  /** The protocol that the gateway chose. */
  readonly protocol: string
  send(event: JsonObject | string | Uint8Array<ArrayBuffer>): void
  /** Resolves with the next event of this type, or of Google's with this member, that was not taken before. Rejects when the connection ends first, or has ended. */
  next(type: string): Promise<JsonObject>
  /** Sends `response.create` and resolves with the `response.done` that follows. */
  respond(): Promise<JsonObject>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(): void
}

interface ClientOptions {
  readonly key?: string
  readonly model?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly protocols?: string[]
}

interface Waiting {
  readonly type: string
  readonly resolve: (event: JsonObject) => void
  readonly reject: (error: Error) => void
}

/** The runtime's constructor also takes headers, of which the types of browsers know nothing. */
const Socket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => WebSocket

/** Connects to `/v1/realtime`, or another path. Rejects when the handshake is refused; `fetch` tells how. */
export async function connectRealtime(url: string, options: ClientOptions = {}): Promise<RealtimeClient> {
  const { key, model = 'gpt-realtime', headers = {}, protocols = [] } = options
  const { path = '/v1/realtime', query = `?model=${model}` } = options
  const postOptions: Bun.WebSocketOptions = {
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    protocols,
  }
  const socket = new Socket(`${url.replace('http', 'ws')}${path}${query}`, postOptions)
  const events: JsonObject[] = []
  const untaken: JsonObject[] = []
  const waiting: Waiting[] = []
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const opened = Promise.withResolvers<void>()
  socket.addEventListener('open', () => opened.resolve())
  socket.addEventListener('message', ({ data }) => {
    const event: unknown = JSON.parse(String(data))
    if (!isObject(event)) return
    events.push(event)
    const at = waiting.findIndex(({ type }) => isOf(event, type))
    if (at < 0) untaken.push(event)
    else waiting.splice(at, 1)[0]?.resolve(event)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed.resolve({ code, reason })
    opened.reject(new Error(`The handshake was refused: ${code} ${reason}`))
    for (const { type, reject } of waiting.splice(0)) reject(new Error(`Closed with ${code} before ${type}`))
  })
  await opened.promise
  const client: RealtimeClient = {
    events,
    protocol: socket.protocol,
    send: (event) =>
      socket.send(typeof event === 'string' || event instanceof Uint8Array ? event : JSON.stringify(event)),
    next(type) {
      const at = untaken.findIndex((event) => isOf(event, type))
      if (at >= 0) return Promise.resolve(untaken.splice(at, 1)[0] ?? {})
      if (socket.readyState === WebSocket.CLOSED) return Promise.reject(new Error(`Closed before ${type}`))
      return new Promise((resolve, reject) => void waiting.push({ type, resolve, reject }))
    },
    respond() {
      client.send({ type: 'response.create' })
      return client.next('response.done')
    },
    closed: closed.promise,
    close: () => socket.close(),
    [Symbol.dispose]: () => socket.close(),
  }
  return client
}

const isOf = (event: JsonObject, type: string): boolean =>
  event['type'] === undefined ? type in event : event['type'] === type
