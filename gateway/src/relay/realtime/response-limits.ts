import { isObject, type JsonObject, type SessionProtocol } from '@tollgate/dialects'

import { requestsBeta } from './beta'
import type { Conversation } from './conversation'
import { priceNow, type SessionContext } from './hold'

interface ResponseLimitsOptions {
  readonly session: SessionContext
  readonly conversation: Conversation
  /** The client's. */
  readonly protocol: SessionProtocol
  /** What the caps on each call allow for the first response; null: no cap. */
  readonly limit: number | null
  readonly isTranslated: boolean
}

const names = ['max_output_tokens', 'max_response_output_tokens'] as const

/**
 * What the caps on each call allow for the responses of a session: its upstream is told, and no client sets more. Sessions of Google's clients,
 * and those with Gemini, are configured once, when they begin.
 */
export class ResponseLimits {
  readonly #usualName: (typeof names)[number]
  #present: number | null

  constructor(private readonly options: ResponseLimitsOptions) {
    const [usual, ofBeta] = names
    this.#usualName = requestsBeta(options.session.call.request.headers) ? ofBeta : usual
    this.#present = options.protocol.hasErrorEvents ? options.limit : null
  }

  /** Returns the event that configures a session before anything of the client's is sent; null where none has to. */
  opening(configuration: JsonObject | null, isConfiguredOnce: boolean): JsonObject | null {
    const limit = isConfiguredOnce ? null : this.#present
    if (configuration === null && limit === null) return null
    const session = configuration ?? this.#bare()
    return { type: 'session.update', session: limit === null ? session : this.#limit(session, limit) }
  }

  /** Returns an event of the client with the limit that is allowed now. @throws AppError of the `cap.` family. */
  limitEvent(type: string, event: JsonObject): JsonObject {
    if (this.#present === null || (type !== 'session.update' && type !== 'response.create')) return event
    const limit = this.#computeNow() ?? this.#present
    const { session, response } = event
    if (type === 'response.create')
      return { ...event, response: this.#limit(isObject(response) ? response : {}, limit) }
    return isObject(session) ? { ...event, session: this.#limit(session, limit) } : event
  }

  /** Returns the event that lowers the limit after a response: a longer conversation leaves less of a cap on the price. Null: it stays. */
  afterResponse(): JsonObject | null {
    const { session, isTranslated } = this.options
    const hasPriceCap = session.caller.caps.some(({ measure }) => measure === 'quota')
    if (this.#present === null || isTranslated || !hasPriceCap) return null
    const limit = this.#computeNow()
    if (limit === null || limit === this.#present) return null
    this.#present = limit
    return { type: 'session.update', session: this.#limit(this.#bare(), limit) }
  }

  #computeNow(): number | null {
    const { session, conversation } = this.options
    return priceNow(session, conversation.nextResponse(session.call.pathContext.model, null)).view.maxOutputTokens
  }

  /** Returns a configuration that changes nothing. */
  #bare(): JsonObject {
    return this.#usualName === 'max_output_tokens' ? { type: 'realtime' } : {}
  }

  /** A session that only transcribes has no responses. */
  #limit(holder: JsonObject, limit: number): JsonObject {
    if (holder['type'] === 'transcription') return holder
    const name = names.find((known) => known in holder) ?? this.#usualName
    const own = holder[name]
    return { ...holder, [name]: typeof own === 'number' && own > 0 ? Math.min(own, limit) : limit }
  }
}
