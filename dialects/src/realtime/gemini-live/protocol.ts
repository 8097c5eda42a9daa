import type { ClientEvent } from '../openai-realtime/client-events'
import { readSessionReport, type SessionReport } from '../openai-realtime/server-events'
import type { SessionProtocol } from '../openai-realtime/session-protocol'
import type { TranslatedSession } from '../openai-realtime/session-translation'
import { readLiveMessage } from './client-messages'
import { LiveSession } from './session'

/** The protocol of Google's own clients, whose messages pass as they are. What they mean is told by the translation into OpenAI's events. */
export class LiveProtocol implements SessionProtocol {
  readonly cancel = null
  readonly hasErrorEvents = false
  readonly #observed: LiveSession
  #hasSetup = false

  constructor(session: TranslatedSession) {
    this.#observed = new LiveSession(session)
    this.#observed.opening()
  }

  /** A configuration is taken once: a later one could name another model. */
  read(text: string): ClientEvent {
    const read = readLiveMessage(text)
    if (read.kind !== 'event' || read.type !== 'session.update') return read
    if (this.#hasSetup) return { kind: 'malformed' }
    this.#hasSetup = true
    return read
  }

  reports(text: string): readonly SessionReport[] {
    return this.#observed.fromUpstream(text).toClient.flatMap((event) => readSessionReport(event) ?? [])
  }
}
