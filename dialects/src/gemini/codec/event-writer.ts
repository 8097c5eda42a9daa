import type { JsonObject } from '../../json'
import type { Answering } from '../../neutral/codec'
import type { AnswerEvent } from '../../neutral/events'
import { noUsage, type Usage } from '../../usage'
import { geminiError } from '../errors'
import { usageBody } from '../usage'
import { CandidateWriter } from './candidate-writer'

/**
 * Makes responses from the events of an answer: one for all that is written at once. The last one tells why the choices ended
 * and what was used, so a whole answer is a stream of one.
 */
export class ResponseWriter {
  readonly #candidates = new Map<number, CandidateWriter>()
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
    const known = this.#candidates.get(choice)
    if (known) return known
    const candidate = new CandidateWriter(choice)
    this.#candidates.set(choice, candidate)
    return candidate
  }

  #response(isLast: boolean): JsonObject | null {
    const choices = [...this.#candidates].sort(([one], [other]) => one - other).map(([, candidate]) => candidate)
    const candidates = choices.flatMap((candidate) => candidate.written(isLast) ?? [])
    if (candidates.length === 0 && !isLast) return null
    return {
      candidates,
      ...(isLast && { usageMetadata: usageBody(this.#usage) }),
      modelVersion: this.answering.model,
      responseId: (this.#id ||= this.answering.newId('')),
    }
  }
}
