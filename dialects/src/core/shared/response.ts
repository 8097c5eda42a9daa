import type { AnswerView } from '../views'
import { isObject, type JsonObject } from '../json'
import { AnswerWords } from './inline-images'
import { believedUsage, promptUsage } from './reported-usage'
import { failedChoice, failureIn, hasObjects } from './reported-failure'
import { jsonTextOf } from '../neutral/read'
import type { ReportedUsage } from '../usage'
import { errorIn, errorInChoices } from './errors'
import { WebSearches } from './searches'
import { readUsage, usageIn } from './usage'

/** A whole answer of a chat or of a text completion. */
export function readChatAnswer(answer: JsonObject): AnswerView {
  const answerText = new AnswerText(answer['choices'])
  const hasOutput = answerText.texts.length > 0 || answerText.toolCalls > 0
  const words = new AnswerWords(answerText.texts)
  const searches = new WebSearches()
  searches.take(answer)
  return {
    usage: believedUsage(usageIn(answer), { hasOutput, isCovered: true, toolCalls: searches.calls }),
    error:
      errorIn(answer) ??
      errorInChoices(answer['choices']) ??
      failureIn(answer, hasObjects(answer['choices'])) ??
      (hasOutput || answerText.images > 0 ? null : failedChoice(answer['choices'])),
    toolCalls: answerText.toolCalls,
    isEmpty: answerText.toolCalls === 0 && answerText.isBlank,
    completionText: () => words.text,
    images: () => words.images + answerText.images,
    createdObjects: () => answerText.recordings.map((id) => ({ kind: 'tool', id })),
  }
}

/** A whole answer, in one of these members, of an endpoint that generates no text: all that was used is the prompt. */
export function readTextlessAnswer(answer: JsonObject, members: readonly string[]): AnswerView {
  return {
    usage: textlessUsage(answer['usage']),
    error:
      errorIn(answer) ??
      failureIn(
        answer,
        members.some((name) => hasObjects(answer[name])),
      ),
    toolCalls: 0,
    isEmpty: false,
    completionText: () => '',
  }
}

/** Where only the sum is reported, it is the prompt; where both are, the sum adds nothing. */
function textlessUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  const { total_tokens: sum, ...counts } = usage
  return promptUsage(readUsage(counts)) ?? promptUsage(readUsage({ prompt_tokens: sum }))
}

/** What the choices of an answer say. */
class AnswerText {
  readonly texts: string[] = []
  /** Ids of what was spoken, which a later request may name. */
  readonly recordings: string[] = []
  toolCalls = 0
  /** Images outside the text. */
  images = 0

  constructor(choices: unknown) {
    for (const choice of listOf(choices)) {
      if (!isObject(choice)) continue
      this.#add(choice['text'])
      if (isObject(choice['message'])) this.#message(choice['message'])
    }
  }

  get isBlank(): boolean {
    return this.texts.every((text) => text.trim() === '')
  }

  #add(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.texts.push(text)
  }

  #message(message: JsonObject): void {
    this.#add(message['reasoning_content'] ?? message['reasoning'])
    this.#add(message['content'])
    this.#add(message['refusal'])
    for (const part of listOf(message['content'])) if (isObject(part)) this.#part(part)
    this.images += listOf(message['images']).length
    if (isObject(message['audio'])) this.#speech(message['audio'])
    for (const call of listOf(message['tool_calls'])) if (isObject(call)) this.#call(call['function'] ?? call['custom'])
    this.#call(message['function_call'])
  }

  #part({ type, text }: JsonObject): void {
    this.#add(text)
    if (type === 'image_url' || type === 'image') this.images += 1
  }

  #speech({ id, transcript }: JsonObject): void {
    this.#add(transcript)
    if (typeof id === 'string' && id !== '') this.recordings.push(id)
  }

  #call(called: unknown): void {
    if (!isObject(called)) return
    this.toolCalls += 1
    this.#add(called['name'])
    this.#add(jsonTextOf(called['arguments'] ?? called['input']))
  }
}

const noItems: readonly unknown[] = []
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : noItems)
