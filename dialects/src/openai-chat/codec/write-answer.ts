import type { JsonObject } from '../../json'
import type { Answering, EventWriter } from '../../neutral/codec'
import type { AnswerEvent } from '../../neutral/events'
import { objectsOf, textOf } from '../../neutral/read'
import { openAiError } from '../../openai/errors'
import { usageBody } from '../../openai/usage'
import { PieceWriter, type Piece } from './chunk-writer'

/** A stream of chunks. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new PieceWriter(answering)
  const begun = new Set<number>()
  let isDone = false
  const chunk = (choices: readonly JsonObject[], usage?: JsonObject) =>
    eventText({
      id: writer.id || answering.newId('chatcmpl-'),
      object: 'chat.completion.chunk',
      created: writer.createdAt,
      model: answering.model,
      choices,
      ...(usage && { usage }),
    })
  /** The first piece of a choice says who speaks. */
  const piece = ({ choice, delta, logprobs, finish }: Piece): string => {
    const first = begun.has(choice) ? '' : chunk([choiceOf(choice, { role: 'assistant', content: '' })])
    begun.add(choice)
    return first + chunk([choiceOf(choice, delta, finish, logprobs)])
  }
  return {
    write(events) {
      let text = ''
      for (const event of events) {
        if (isDone) break
        text += writer.take(event).map(piece).join('')
        if (writer.error) text += eventText(openAiError(writer.error))
        if (writer.isOver) {
          if (answering.includeUsage && writer.usage) text += chunk([], usageBody(writer.usage))
          text += 'data: [DONE]\n\n'
        }
        isDone = writer.error !== null || writer.isOver
      }
      return text
    },
  }
}

const eventText = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`

const choiceOf = (index: number, delta: JsonObject, finish?: string, logprobs?: JsonObject): JsonObject => ({
  index,
  delta,
  logprobs: logprobs ?? null,
  finish_reason: finish ?? null,
})

/** A whole chat: what its stream adds up to. After a failure, the error. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new PieceWriter(answering)
  const choices = new Map<number, WholeChoice>()
  for (const event of events) {
    for (const piece of writer.take(event)) {
      const choice = choices.get(piece.choice) ?? new WholeChoice()
      choices.set(piece.choice, choice)
      choice.add(piece)
    }
  }
  if (writer.error) return openAiError(writer.error)
  return {
    id: writer.id || answering.newId('chatcmpl-'),
    object: 'chat.completion',
    created: writer.createdAt,
    model: answering.model,
    choices: [...choices].sort(([one], [other]) => one - other).map(([index, choice]) => choice.value(index)),
    ...(writer.usage && { usage: usageBody(writer.usage) }),
  }
}

const textMembers = ['content', 'refusal', 'reasoning_content'] as const
const listMembers = ['annotations', 'images'] as const

class WholeChoice {
  readonly #texts = new Map<string, string>()
  readonly #lists = new Map<string, JsonObject[]>()
  readonly #details: JsonObject[] = []
  readonly #calls: JsonObject[] = []
  #audio: JsonObject | null = null
  #tokens: JsonObject[] = []
  #finish: string | null = null

  add({ delta, logprobs, finish }: Piece): void {
    for (const name of textMembers)
      if (name in delta) this.#texts.set(name, (this.#texts.get(name) ?? '') + textOf(delta[name]))
    for (const name of listMembers)
      if (name in delta) this.#lists.set(name, [...(this.#lists.get(name) ?? []), ...objectsOf(delta[name])])
    for (const detail of objectsOf(delta['reasoning_details'])) this.#addDetail(detail)
    for (const call of objectsOf(delta['tool_calls'])) this.#addCall(call)
    const { audio } = delta
    if (audio) this.#audio = joinedTexts(this.#audio ?? {}, { ...Object(audio) })
    this.#tokens.push(...objectsOf(logprobs?.['content']))
    if (finish) this.#finish = finish
  }

  value(index: number): JsonObject {
    const lists = Object.fromEntries(this.#lists)
    const thoughts = this.#texts.get('reasoning_content')
    const message = {
      role: 'assistant',
      content: this.#texts.get('content') ?? (this.#calls.length > 0 || this.#texts.has('refusal') ? null : ''),
      refusal: this.#texts.get('refusal') ?? null,
      ...(thoughts !== undefined && { reasoning_content: thoughts }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
      ...lists,
      ...(this.#audio && { audio: this.#audio }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.map(withoutIndex) }),
    }
    const logprobs = this.#tokens.length > 0 ? { content: this.#tokens, refusal: null } : null
    return { index, message, logprobs, finish_reason: this.#finish ?? 'stop' }
  }

  /** The pieces of one thought have one index; the signature comes last. */
  #addDetail(detail: JsonObject): void {
    const last = this.#details.at(-1)
    if (last === undefined || last['index'] !== detail['index']) this.#details.push(detail)
    else this.#details[this.#details.length - 1] = joinedTexts(last, detail, ['text', 'summary'])
  }

  #addCall(call: JsonObject): void {
    const place = this.#calls.findIndex(({ index }) => index === call['index'])
    const known = this.#calls[place]
    if (known === undefined) {
      this.#calls.push(call)
      return
    }
    const isCustom = 'custom' in call
    const name = isCustom ? 'custom' : 'function'
    const member = isCustom ? 'input' : 'arguments'
    this.#calls[place] = {
      ...known,
      [name]: joinedTexts({ ...Object(known[name]) }, { ...Object(call[name]) }, [member]),
    }
  }
}

/** Only the pieces of a stream are numbered. */
function withoutIndex({ index: _index, ...call }: JsonObject): JsonObject {
  return call
}

/** Two objects as one: texts of these names one behind the other, of other members the later one. */
function joinedTexts(
  one: JsonObject,
  other: JsonObject,
  names: readonly string[] = ['data', 'transcript'],
): JsonObject {
  const texts = names.flatMap((name) =>
    typeof one[name] === 'string' && typeof other[name] === 'string' ? [[name, one[name] + other[name]]] : [],
  )
  return { ...one, ...other, ...Object.fromEntries(texts) }
}
