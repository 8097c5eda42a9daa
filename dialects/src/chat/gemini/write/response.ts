import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { noUsage, type Usage } from '../../../core/usage'
import { geminiError } from '../errors'
import { usageBody } from '../usage'
import { CandidateWriter } from './candidate'

/** A stream of responses. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new ResponseWriter(answering)
  return { write: (events) => writer.take(events) }
}

export const eventText = (response: JsonObject): string => `data: ${JSON.stringify(response)}\n\n`

/** A whole response: a stream of one. After a failure, the error. */
export const writeAnswer = (events: readonly AnswerEvent[], answering: Answering): JsonObject =>
  new ResponseWriter(answering).take(events).at(-1) ?? {}

/**
 * Makes responses from the events of an answer: one for all that is written at once. The last one tells why the choices ended
 * and what was used, so a whole answer is a stream of one.
 */
class ResponseWriter {
  /** In the order of their numbers. */
  #candidates: readonly CandidateWriter[] = []
  #id: string | null = null
  #usage: Usage = noUsage
  #isOver = false

  constructor(private readonly answering: Answering) {}

  take(events: readonly AnswerEvent[]): JsonObject[] {
    if (this.#isOver) return []
    let isLast = false
    for (const event of events) {
      if (event.type === 'failure') {
        this.#isOver = true
        const before = this.#response(false)
        return [...(before ? [before] : []), geminiError(event.error)]
      }
      isLast ||= event.type === 'answer-end'
      if (isLast) break
      this.#hear(event)
    }
    this.#isOver = isLast
    const response = this.#response(isLast)
    return response ? [response] : []
  }

  #hear(event: AnswerEvent): void {
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'answer-start') this.#id = event.id
    else if ('choice' in event) this.#candidate(event.choice).take(event)
  }

  #candidate(choice: number): CandidateWriter {
    const known = this.#candidates.find((candidate) => candidate.choice === choice)
    if (known) return known
    const candidate = new CandidateWriter(choice)
    this.#candidates = [...this.#candidates, candidate].sort((one, other) => one.choice - other.choice)
    return candidate
  }

  #response(isLast: boolean): JsonObject | null {
    const candidates: JsonObject[] = []
    for (const candidate of this.#candidates) {
      const written = candidate.writeNext(isLast)
      if (written !== null) candidates.push(written)
    }
    if (candidates.length === 0 && !isLast) return null
    const responseId = (this.#id ||= this.answering.newId(''))
    const modelVersion = this.answering.model
    return isLast
      ? { candidates, usageMetadata: usageBody(this.#usage), modelVersion, responseId }
      : { candidates, modelVersion, responseId }
  }
}
