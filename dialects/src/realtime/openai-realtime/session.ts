import { type ClientEvent, readClientEvent } from './client-events'
import { readSessionReport, type SessionReport } from './server-events'
import type { JsonObject } from '../../core/json'

/** The protocol of a session's client. What decides money and guards is read in OpenAI's terms, whatever the protocol. Stateful. */
export interface SessionProtocol {
  /** Reads a message of the client. */
  read(text: string): ClientEvent
  /** Returns what a message to the client says that matters for charges, in order. */
  reports(text: string): readonly SessionReport[]
  /** The message that stops the response in progress; null: only the end of the session does. */
  readonly cancel: string | null
  /** Whether failures are told by events. Otherwise a session ends with the first one, and its close says why. */
  readonly hasErrorEvents: boolean
}

const noReports: readonly SessionReport[] = []

/** That of OpenAI, in which other vendors are translated. */
export const openAiProtocol: SessionProtocol = {
  read: readClientEvent,
  reports(text) {
    const report = readSessionReport(text)
    return report === null ? noReports : [report]
  },
  cancel: '{"type":"response.cancel"}',
  hasErrorEvents: true,
}

/** What a message becomes. */
export interface Translated {
  readonly toUpstream: readonly string[]
  readonly toClient: readonly string[]
}

/** Translates a session of another protocol to and from OpenAI's events. Stateful: one for each session. */
export interface SessionTranslation {
  /** Characters that wait here until the client or the upstream goes on. Absent: none do. */
  readonly waitingLength?: number
  /** Called once, before anything else. Absent: the upstream begins. */
  opening?(): Translated
  fromClient(event: JsonObject): Translated
  fromUpstream(text: string): Translated
}

export interface TranslatedSession {
  /** The upstream's name for the model. */
  readonly model: string
  /** Returns a new id with this prefix. */
  readonly newId: (prefix: string) => string
  /** The limit of each response where the client sets none; null: the model's. */
  readonly maxOutputTokens?: number | null
}
