import { readClientEvent, type ClientEvent } from './client-events'
import { readSessionReport, type SessionReport } from './server-events'

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
