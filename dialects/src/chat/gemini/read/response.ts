import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { objectsOf, parsedObject, textOf } from '../../../core/neutral/read'
import { toolCallCounts } from '../../../core/shared/reported-usage'
import type { ReportedUsage, ToolCalls } from '../../../core/usage'
import { errorIn } from '../errors'
import { failedFinish, isBlocked } from '../finish-reasons'
import { member, memberObject } from '../../../core/shared/google-members'
import { readUsage, webSearches } from '../usage'
import { CandidateReader } from './candidate'
import { reportedFailure } from '../../../core/shared/reported-failure'

/** A whole response: the only one of its stream. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new ResponseReader()
  return [...reader.take(answer), ...reader.end()]
}

/** Reads a stream of responses. */
export function createReader(): EventReader {
  const reader = new ResponseReader()
  return {
    read: ({ data }: ServerEvent) => {
      const response = parsedObject(data)
      return response === null ? [] : reader.take(response)
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}

/** More candidates than a request can have. */
const maxChoices = 128

/**
 * Reads the responses of a stream, each a piece of the same whole. The stream has no end mark and some models name a reason to
 * end in every piece, so choices end when the upstream does.
 */
class ResponseReader {
  readonly #candidates = new Map<number, CandidateReader>()
  #id: string | null = null
  #usage: ReportedUsage | null = null
  #searches = 0
  #isOver = false
  #hasOutput = false

  get toolCalls(): ToolCalls {
    return toolCallCounts({ webSearch: this.#searches })
  }

  take(response: JsonObject): AnswerEvent[] {
    if (this.#isOver) return []
    const error = errorIn(response) ?? reportedFailure(response, 'candidates' in response)
    if (error !== null) {
      this.#isOver = true
      return [{ type: 'failure', error }]
    }
    const started = this.#start(response)
    const candidateEvents = objectsOf(response['candidates']).flatMap((candidate, index) =>
      this.#candidate(candidate['index'], index).take(candidate),
    )
    this.#hasOutput ||= candidateEvents.length > 0
    const failed = this.#hasOutput ? null : failedFinish(response)
    if (failed) {
      this.#isOver = true
      return [{ type: 'failure', error: failed }]
    }
    const blockReason = member(memberObject(response, 'promptFeedback'), 'blockReason')
    if (isBlocked(blockReason) && this.#candidates.size === 0) this.#candidate(0, 0).block(blockReason)
    return [...started, ...candidateEvents, ...this.#account(response)]
  }

  /** Without a reason for each choice that was begun, the answer is not whole. */
  end(): AnswerEvent[] {
    if (this.#isOver) return []
    this.#isOver = true
    const choices = [...this.#candidates].sort(([one], [other]) => one - other).map(([, candidate]) => candidate)
    const ended = choices.flatMap((choice) => choice.end())
    return choices.length > 0 && choices.every((choice) => choice.isFinished)
      ? [...ended, ...(this.#usage ? [{ type: 'usage', usage: this.#usage } as const] : []), { type: 'answer-end' }]
      : ended
  }

  #start(response: JsonObject): AnswerEvent[] {
    if (this.#id !== null) return []
    this.#id = textOf(member(response, 'responseId'))
    const created = Date.parse(textOf(member(response, 'createTime')))
    const createdAt = Number.isNaN(created) ? 0 : Math.floor(created / 1000)
    return [{ type: 'answer-start', id: this.#id, model: textOf(member(response, 'modelVersion')), createdAt }]
  }

  #candidate(index: unknown, position: number): CandidateReader {
    const isIndex = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < maxChoices
    const choice = isIndex ? index : position
    const known = this.#candidates.get(choice)
    if (known) return known
    const candidate = new CandidateReader(choice, this.#id ?? '')
    this.#candidates.set(choice, candidate)
    return candidate
  }

  /** Nearly every piece reports the usage so far. */
  #account(response: JsonObject): AnswerEvent[] {
    this.#searches = Math.max(this.#searches, webSearches(response))
    const usage = readUsage(response, this.#searches)
    if (usage === null) return []
    this.#usage = usage
    return [{ type: 'usage', usage }]
  }
}
