import { isObject, type JsonObject } from '../json'
import { GeminiSession } from './gemini-session'
import { OpenAiSession } from './openai-session'
import type { RealtimeBehaviour, RealtimeUsage, SessionScript, StandInSession, Transcription } from './script'

export type { RealtimeBehaviour, RealtimeUsage } from './script'

/** One connection, as the upstream saw it. */
export interface SeenSession {
  readonly url: URL
  readonly headers: Headers
  /** Every event of the client, parsed. */
  readonly events: JsonObject[]
  readonly ended: Promise<void>
  /** What was sent to the gateway and not read by it. */
  unsentBytes(): number
}

export interface RealtimeUpstream extends AsyncDisposable {
  /** For the channel: `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly sessions: readonly SeenSession[]
  /** What complete responses reported. */
  readonly served: readonly RealtimeUsage[]
  /** Resolves with a session, the first is 0, when it is there. */
  session(index: number): Promise<SeenSession>
  /** Decides how the next response goes; in order. */
  next(behaviour: RealtimeBehaviour): void
  /** Responds to handshakes with this status and error, until it is null. */
  refuse(refusal: { readonly status: number; readonly error: JsonObject } | null): void
  /** The usage of each transcription, which ends when `gate` resolves; undefined: nothing is transcribed. */
  transcribe(usage: JsonObject | undefined, how?: { gate?: Promise<void>; isRepeated?: boolean }): void
}

interface Attached {
  readonly seen: SeenSession
  readonly handleClose: () => void
  readonly open: (socket: Bun.ServerWebSocket<Attached>) => (event: JsonObject) => void
  receive: (event: JsonObject) => void
}

const standIns = {
  openai: (script: SessionScript): StandInSession => new OpenAiSession(script, false),
  dashscope: (script: SessionScript): StandInSession => new OpenAiSession(script, true),
  gemini: (script: SessionScript): StandInSession => new GeminiSession(script),
}

interface UpstreamOptions {
  /** Decides how a response goes for which `next` was not called, by the events of its session. */
  readonly behave?: (events: readonly JsonObject[]) => RealtimeBehaviour
}

/** Starts a stand-in for an upstream of realtime sessions, in the protocol of a vendor. */
export function startRealtimeUpstream(
  shape: keyof typeof standIns = 'openai',
  { behave = () => ({}) }: UpstreamOptions = {},
): RealtimeUpstream {
  const sessions: SeenSession[] = []
  const waiting: { index: number; resolve: (session: SeenSession) => void }[] = []
  const behaviours: RealtimeBehaviour[] = []
  const served: RealtimeUsage[] = []
  let refusal: { status: number; error: JsonObject } | null = null
  let transcription: Transcription | undefined
  const server = Bun.serve<Attached>({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request, host) {
      if (refusal) return Response.json({ error: refusal.error }, { status: refusal.status })
      return host.upgrade(request, { data: createAttached(request) })
        ? undefined
        : new Response('no WebSocket', { status: 400 })
    },
    websocket: {
      maxPayloadLength: 64 * 1024 * 1024,
      backpressureLimit: 256 * 1024 * 1024,
      open(socket) {
        socket.data.receive = socket.data.open(socket)
        const at = sessions.push(socket.data.seen) - 1
        for (const { index, resolve } of waiting) if (index === at) resolve(socket.data.seen)
      },
      message(socket, message) {
        const event: unknown = JSON.parse(String(message))
        if (!isObject(event)) return
        socket.data.seen.events.push(event)
        socket.data.receive(event)
      },
      close: (socket) => socket.data.handleClose(),
    },
  })

  function createAttached(request: Request): Attached {
    const ended = Promise.withResolvers<void>()
    const events: JsonObject[] = []
    const url = new URL(request.url)
    let unsentBytes = () => 0
    const seen = { url, headers: request.headers, events, ended: ended.promise, unsentBytes: () => unsentBytes() }
    return {
      seen,
      handleClose: () => ended.resolve(),
      open(socket) {
        unsentBytes = () => socket.getBufferedAmount()
        const session = standIns[shape]({
          model: url.searchParams.get('model') ?? '',
          get transcription() {
            return transcription
          },
          next: () => behaviours.shift() ?? behave(events),
          send: (text) => void socket.sendText(text),
          recordUsage: (usage) => void served.push(usage),
          break: () => socket.terminate(),
          close: () => socket.close(1000),
        })
        return (event) => session.receive(event)
      },
      receive() {},
    }
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    sessions,
    served,
    session: (index) => {
      const known = sessions[index]
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.push({ index, resolve }))
    },
    next: (behaviour) => void behaviours.push(behaviour),
    refuse: (reported) => void (refusal = reported),
    transcribe: (usage, { gate, isRepeated = false } = {}) =>
      void (transcription = usage && { usage, gate, isRepeated }),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
