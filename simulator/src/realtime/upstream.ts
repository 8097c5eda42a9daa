import { isObject, type JsonObject } from '../json'
import { GeminiSession } from './gemini-session'
import { OpenAiSession } from './openai-session'
import type { RealtimeBehaviour, RealtimeUsage, SessionScript, StandInSession, Transcription } from './script'

export type { RealtimeBehaviour, RealtimeUsage } from './script'

interface UpstreamOptions {
  /** Decides how a response goes for which `next` was not called, by the events of its session. */
  readonly behave?: (events: readonly JsonObject[]) => RealtimeBehaviour
}

/** A stand-in for an upstream of realtime sessions, in the protocol of a vendor. */
export class RealtimeUpstream implements AsyncDisposable {
  readonly sessions: SeenSession[] = []
  /** What complete responses reported. */
  readonly served: RealtimeUsage[] = []
  readonly #shape: keyof typeof standIns
  readonly #behave: (events: readonly JsonObject[]) => RealtimeBehaviour
  readonly #server: Bun.Server<Connection>
  readonly #waiting: { index: number; resolve: (session: SeenSession) => void }[] = []
  readonly #behaviours: RealtimeBehaviour[] = []
  #refusal: { readonly status: number; readonly error: JsonObject } | null = null
  #transcription: Transcription | undefined

  static start(shape: keyof typeof standIns = 'openai', options: UpstreamOptions = {}): RealtimeUpstream {
    return new RealtimeUpstream(shape, options)
  }

  private constructor(shape: keyof typeof standIns, { behave = () => ({}) }: UpstreamOptions) {
    this.#shape = shape
    this.#behave = behave
    this.#server = Bun.serve<Connection>({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, host) => this.#respond(request, host),
      websocket: {
        maxPayloadLength: 64 * 1024 * 1024,
        backpressureLimit: 256 * 1024 * 1024,
        open: (socket) => this.#open(socket),
        message: (socket, message) => socket.data.receive(JSON.parse(String(message))),
        close: (socket) => socket.data.end(),
      },
    })
  }

  /** For the channel: `http://127.0.0.1:<port>`. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** Resolves with a session, the first is 0, when it is there. */
  session(index: number): Promise<SeenSession> {
    const known = this.sessions[index]
    return known ? Promise.resolve(known) : new Promise((resolve) => this.#waiting.push({ index, resolve }))
  }

  /** Decides how the next response goes; in order. */
  next(behaviour: RealtimeBehaviour): void {
    this.#behaviours.push(behaviour)
  }

  /** Responds to handshakes with this status and error, until it is null. */
  refuse(refusal: { readonly status: number; readonly error: JsonObject } | null): void {
    this.#refusal = refusal
  }

  /** The usage of each transcription, which ends when `gate` resolves; undefined: nothing is transcribed. */
  transcribe(
    usage: JsonObject | undefined,
    { gate, isRepeated = false }: { gate?: Promise<void>; isRepeated?: boolean } = {},
  ): void {
    this.#transcription = usage && { usage, gate, isRepeated }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true)
  }

  #respond(request: Request, host: Bun.Server<Connection>): Response | undefined {
    if (this.#refusal) return Response.json({ error: this.#refusal.error }, { status: this.#refusal.status })
    return host.upgrade(request, { data: new Connection(request) })
      ? undefined
      : new Response('no WebSocket', { status: 400 })
  }

  #open(socket: Bun.ServerWebSocket<Connection>): void {
    const connection = socket.data
    const script: SessionScript = {
      model: connection.url.searchParams.get('model') ?? '',
      transcription: () => this.#transcription,
      next: () => this.#behaviours.shift() ?? this.#behave(connection.events),
      send: (text) => void socket.sendText(text),
      recordUsage: (usage) => void this.served.push(usage),
      break: () => socket.terminate(),
      close: () => socket.close(1000),
    }
    connection.open(socket, standIns[this.#shape](script))
    const at = this.sessions.push(connection) - 1
    for (const { index, resolve } of this.#waiting) if (index === at) resolve(connection)
  }
}

const standIns = {
  openai: (script: SessionScript): StandInSession => new OpenAiSession(script, false),
  dashscope: (script: SessionScript): StandInSession => new OpenAiSession(script, true),
  gemini: (script: SessionScript): StandInSession => new GeminiSession(script),
}

/** One connection, as the upstream saw it. */
export type SeenSession = Pick<Connection, 'url' | 'headers' | 'events' | 'ended' | 'unsentBytes'>

class Connection {
  readonly url: URL
  readonly headers: Headers
  /** Every event of the client, parsed. */
  readonly events: JsonObject[] = []
  readonly ended: Promise<void>
  readonly #end: () => void
  #socket: Bun.ServerWebSocket<Connection> | null = null
  #session: StandInSession | null = null

  constructor(request: Request) {
    this.url = new URL(request.url)
    this.headers = request.headers
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
  }

  /** What was sent to the gateway and not read by it. */
  unsentBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0
  }

  open(socket: Bun.ServerWebSocket<Connection>, session: StandInSession): void {
    this.#socket = socket
    this.#session = session
  }

  receive(event: unknown): void {
    if (!isObject(event)) return
    this.events.push(event)
    this.#session?.receive(event)
  }

  end(): void {
    this.#end()
  }
}
