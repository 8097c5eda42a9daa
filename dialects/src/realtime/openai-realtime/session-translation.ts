import type { JsonObject } from '../../core/json'

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
}
