import type { JsonObject } from '../../../core/json'
import { objectOf, objectsOf, textOf } from '../../../core/neutral/read'

const textMembers = ['content', 'refusal', 'reasoning_content'] as const
const listMembers = ['annotations', 'images'] as const
/** How long OpenAI keeps a spoken answer. */
const audioSeconds = 3600

/** A piece of one choice. */
export interface Piece {
  readonly choice: number
  readonly delta: JsonObject
  readonly logprobs?: JsonObject
  readonly finish?: string
}

/** One choice of a whole chat, put together from its pieces. */
export class WholeChoice {
  readonly #texts = new Map<string, string>()
  readonly #lists = new Map<string, JsonObject[]>()
  readonly #details: JsonObject[] = []
  readonly #calls: JsonObject[] = []
  readonly #callPositions = new Map<unknown, number>()
  readonly #tokens: JsonObject[] = []
  #audio: JsonObject | null = null
  #finish: string | null = null

  add({ delta, logprobs, finish }: Piece): void {
    for (const name of textMembers)
      if (name in delta) this.#texts.set(name, (this.#texts.get(name) ?? '') + textOf(delta[name]))
    for (const name of listMembers) if (name in delta) this.#addTo(name, objectsOf(delta[name]))
    for (const detail of objectsOf(delta['reasoning_details'])) this.#addDetail(detail)
    for (const call of objectsOf(delta['tool_calls'])) this.#addCall(call)
    if ('audio' in delta) this.#audio = joinedTexts(this.#audio ?? {}, objectOf(delta['audio']), ['data', 'transcript'])
    for (const token of objectsOf(logprobs?.['content'])) this.#tokens.push(token)
    if (finish) this.#finish = finish
  }

  value(index: number, createdAt: number): JsonObject {
    const thoughts = this.#texts.get('reasoning_content')
    const isElsewhere = this.#calls.length > 0 || this.#texts.has('refusal') || this.#audio !== null
    const message = {
      role: 'assistant',
      content: this.#texts.get('content') ?? (isElsewhere ? null : ''),
      refusal: this.#texts.get('refusal') ?? null,
      ...(thoughts !== undefined && { reasoning_content: thoughts }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
      ...Object.fromEntries(this.#lists),
      ...(this.#audio && {
        audio: { data: '', transcript: '', expires_at: createdAt + audioSeconds, ...this.#audio },
      }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.map(withoutIndex) }),
    }
    const logprobs = this.#tokens.length > 0 ? { content: this.#tokens, refusal: null } : null
    return { index, message, logprobs, finish_reason: this.#finish ?? 'stop' }
  }

  #addTo(name: string, items: readonly JsonObject[]): void {
    const list = this.#lists.get(name) ?? []
    for (const item of items) list.push(item)
    this.#lists.set(name, list)
  }

  /** The pieces of one thought have one index; the signature comes last. */
  #addDetail(detail: JsonObject): void {
    const last = this.#details.at(-1)
    if (last === undefined || last['index'] !== detail['index']) this.#details.push(detail)
    else this.#details[this.#details.length - 1] = joinedTexts(last, detail, ['text', 'summary'])
  }

  #addCall(call: JsonObject): void {
    const index = this.#callPositions.get(call['index']) ?? this.#calls.length
    const known = this.#calls[index]
    if (known === undefined) {
      this.#callPositions.set(call['index'], index)
      this.#calls.push(call)
      return
    }
    const [name, member] = 'custom' in call ? (['custom', 'input'] as const) : (['function', 'arguments'] as const)
    this.#calls[index] = { ...known, [name]: joinedTexts(objectOf(known[name]), objectOf(call[name]), [member]) }
  }
}

/** Only the pieces of a stream are numbered. */
function withoutIndex({ index: _index, ...call }: JsonObject): JsonObject {
  return call
}

/** Two objects as one: texts of these names one behind the other, of other members the later one. */
function joinedTexts(one: JsonObject, other: JsonObject, names: readonly string[]): JsonObject {
  const texts = names.flatMap((name) =>
    typeof one[name] === 'string' && typeof other[name] === 'string' ? [[name, one[name] + other[name]]] : [],
  )
  return { ...one, ...other, ...Object.fromEntries(texts) }
}
