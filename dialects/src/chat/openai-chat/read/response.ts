import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent, Page } from '../../../core/neutral/events'
import { holdsSomething, LeftOutEvents } from '../../../core/neutral/left-out'
import { numberOrNull, objectOf, objectsOf, parsedObject, textOf, textsOf } from '../../../core/neutral/read'
import { errorIn, errorInChoices } from '../../../core/shared/errors'
import { failedChoice, reportedFailure } from '../../../core/shared/reported-failure'
import { WebSearches } from '../../../core/shared/searches'
import { usageIn } from '../../../core/shared/usage'
import type { ToolCalls } from '../../../core/usage'
import type { ErrorView } from '../../../core/views'
import { DeltaReader } from './delta'
import { readFinishReason } from '../finish-reasons'
import { readLogProbabilities } from '../log-probabilities'

/** A whole chat, read as one chunk that says all. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new ChunkReader()
  return [...reader.take(answer), ...reader.endWhole()]
}

/** Reads a stream of chunks. */
export function createReader(): EventReader {
  const reader = new ChunkReader()
  return {
    read({ data }: ServerEvent) {
      if (data.trim() === '[DONE]') return reader.close()
      const chunk = parsedObject(data)
      return chunk === null ? [] : reader.take(chunk)
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}

/** More choices than a request can have. Those beyond are left out. */
const maxChoices = 128

interface Choice {
  readonly reader: DeltaReader
  isOver: boolean
}

/** Reads the chunks of a chat, given as objects. https://platform.openai.com/docs/api-reference/chat/streaming */
export class ChunkReader {
  readonly #choices = new Map<number, Choice>()
  readonly #searches = new WebSearches()
  /** What was found for the whole answer, by hosts that search themselves. */
  #pages: readonly Page[] = []
  readonly #leftOut = new LeftOutEvents()
  #hasStarted = false
  #hasOutput = false
  #isOver = false

  get toolCalls(): ToolCalls {
    return this.#searches.calls
  }

  take(chunk: JsonObject): AnswerEvent[] {
    if (this.#isOver) return []
    this.#searches.take(chunk)
    const pages = pagesIn(chunk)
    if (pages !== null) this.#pages = pages
    const choices = objectsOf(chunk['choices'])
    // OpenRouter tells of an upstream that failed in mid-answer in the choice.
    const error = errorIn(chunk) ?? errorInChoices(choices) ?? reportedFailure(chunk, Array.isArray(chunk['choices']))
    if (error) return this.#fail(error)
    const events = this.#start(chunk)
    for (const choice of choices) for (const event of this.#choice(choice)) events.push(event)
    this.#hasOutput ||= events.some(({ type }) => type === 'block-start')
    const failed = this.#hasOutput ? null : failedChoice(choices)
    if (failed) return this.#fail(failed)
    for (const name of foreignMembers)
      if (name in chunk && holdsSomething(chunk[name])) events.push(...this.#leftOut.name(name))
    const usage = usageIn(chunk)
    if (usage) events.push({ type: 'usage', usage })
    return events
  }

  #fail(error: ErrorView): AnswerEvent[] {
    this.#isOver = true
    return [{ type: 'failure', error }]
  }

  /** A whole answer was read. What leaves the reason out has ended all the same. */
  endWhole(): AnswerEvent[] {
    return [...this.#endChoices(), ...this.end()]
  }

  /** The end mark was read: what gives no reason has ended all the same. */
  close(): AnswerEvent[] {
    if (this.#isOver) return []
    this.#isOver = true
    return [...this.#endChoices(), ...this.#endBlocks(), { type: 'answer-end' }]
  }

  #endChoices(): AnswerEvent[] {
    const open = [...this.#choices].filter(([, choice]) => !choice.isOver)
    return open.flatMap(([index, choice]) => this.#endChoice(index, choice, ''))
  }

  /** The upstream ended. Some leave the end mark out, and have said before why the choices ended. */
  end(): AnswerEvent[] {
    if (this.#isOver) return []
    const isWhole = this.#choices.size > 0 && [...this.#choices.values()].every(({ isOver }) => isOver)
    return isWhole ? this.close() : this.#endBlocks()
  }

  #start(chunk: JsonObject): AnswerEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    const createdAt = numberOrNull(chunk['created']) ?? 0
    return [{ type: 'answer-start', id: textOf(chunk['id']), model: textOf(chunk['model']), createdAt }]
  }

  #choice(reported: JsonObject): AnswerEvent[] {
    const index = indexOf(reported)
    const choice = this.#choiceAt(index)
    if (choice === null || choice.isOver) return []
    const message = objectOf(reported['delta'] ?? reported['message'])
    const events = choice.reader.read(message)
    for (const event of this.#readRest(reported, message, choice)) events.push(event)
    const tokens = reported['logprobs'] ? readLogProbabilities(reported['logprobs']) : []
    if (tokens.length > 0) events.push({ type: 'log-probabilities', choice: index, tokens })
    const rawReason = textOf(reported['finish_reason'])
    return rawReason === '' ? events : [...events, ...this.#endChoice(index, choice, rawReason)]
  }

  /** Hosts of completions put the words of an answer beside its message, or in its place. */
  #readRest(reported: JsonObject, message: JsonObject, choice: Choice): AnswerEvent[] {
    const { text } = reported
    const isWords = typeof text === 'string' && text !== '' && !message['content']
    const words = isWords ? choice.reader.read({ content: text }) : []
    const members = this.#leftOut.members(reported, knownMembers, 'choices')
    return words.length + members.length === 0 ? noEvents : [...words, ...members]
  }

  #choiceAt(index: number): Choice | null {
    const known = this.#choices.get(index)
    if (known) return known
    if (this.#choices.size >= maxChoices) return null
    const choice = { reader: new DeltaReader(index), isOver: false }
    this.#choices.set(index, choice)
    return choice
  }

  #endChoice(index: number, choice: Choice, rawReason: string): AnswerEvent[] {
    choice.isOver = true
    const blocks = [...choice.reader.cite(this.#pages), ...choice.reader.end()]
    const reason = readFinishReason(rawReason || 'stop', choice.reader)
    return [...blocks, { type: 'choice-end', choice: index, reason, rawReason, stopSequence: null }]
  }

  #endBlocks(): AnswerEvent[] {
    return [...this.#choices.values()].flatMap(({ reader }) => reader.end())
  }
}

const noEvents: AnswerEvent[] = []

/** What a choice says besides its message that describes the response, or is read elsewhere. */
const knownMembers: ReadonlySet<string> = new Set([
  'index',
  'delta',
  'message',
  'text',
  'finish_reason',
  'logprobs',
  'error',
  'usage',
  'native_finish_reason',
  'stop_reason',
  'matched_stop',
  'seed',
  'token_ids',
  'prompt_token_ids',
  'prompt_logprobs',
  'content_filter_results',
  'content_filter_result',
  'content_filter_offsets',
  'hidden_states',
])

const indexOf = (choice: JsonObject): number => numberOrNull(choice['index']) ?? 0

/**
 * Returns what a chunk says was found for the whole answer; null where it says nothing of that. Zhipu and Hunyuan have names of their own, older
 * hosts addresses alone. https://docs.perplexity.ai/api-reference/chat-completions-post
 */
function pagesIn(chunk: JsonObject): readonly Page[] | null {
  const { search_results: results, web_search, search_info, citations } = chunk
  const found = [results, web_search, objectOf(search_info)['search_results']].find(Array.isArray)
  if (found)
    return objectsOf(found).flatMap(({ url, link, title }) => {
      const address = textOf(url) || textOf(link)
      return address === '' ? [] : [{ url: address, title: textOf(title) }]
    })
  return Array.isArray(citations) ? textsOf(citations).map((url) => ({ url, title: '' })) : null
}

/** What hosts that search put beside the choices and no other dialect has. */
const foreignMembers = ['images', 'related_questions'] as const
