import type { JsonObject } from '../json'

/** What a message becomes. */
export interface Translated {
  readonly toUpstream: readonly string[]
  readonly toClient: readonly string[]
}

/** Makes a session of another protocol look like one of OpenAI's. Has a state, so each session needs its own. */
export interface SessionTranslation {
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
