import type { JsonObject } from '../../json'
import type { BlockKind, Delta, AnswerEvent } from '../../neutral/events'
import { objectOf, objectsOf, readDataUrl, textOf, textOrNull } from '../../neutral/read'

interface Open {
  readonly number: number
  /** What makes a delta belong to it: the kind, and the place of a call among the calls. */
  readonly key: string
}

/**
 * Reads the deltas of one choice, which name no blocks: whatever changes its kind begins the next. A call is named by its
 * place, and one whose place comes up again later goes on only as long as no other block was begun.
 */
export class DeltaReader {
  #blocks = 0
  #open: Open | null = null
  #hasCalls = false
  #callId = ''

  constructor(private readonly choice: number) {}

  get hasCalls(): boolean {
    return this.#hasCalls
  }

  read(delta: JsonObject): AnswerEvent[] {
    return [
      ...this.#thoughts(delta),
      ...this.#content(delta['content']),
      ...this.#text('refusal', delta['refusal']),
      ...objectsOf(delta['annotations']).flatMap((annotation) => this.#citation(annotation)),
      ...this.#audio(objectOf(delta['audio'])),
      ...objectsOf(delta['images']).flatMap((image) => this.#image(image)),
      ...objectsOf(delta['tool_calls']).flatMap((call, place) => this.#call(call, place)),
      ...this.#legacyCall(objectOf(delta['function_call'])),
    ]
  }

  end(): AnswerEvent[] {
    if (this.#open === null) return []
    const { number } = this.#open
    this.#open = null
    return [{ type: 'block-end', choice: this.choice, block: number }]
  }

  /** Details carry the signatures; what they say is said in the plain member too, and counts once. */
  #thoughts(delta: JsonObject): AnswerEvent[] {
    const details = objectsOf(delta['reasoning_details'])
    if (details.length > 0) return details.flatMap((detail) => this.#detail(detail))
    return this.#text('thinking', delta['reasoning_content'] ?? delta['reasoning'])
  }

  #detail(detail: JsonObject): AnswerEvent[] {
    if (detail['type'] === 'reasoning.encrypted') {
      const signature = textOf(detail['data'])
      const begun = this.#begin(`redacted ${signature.length} ${this.#blocks}`, { kind: 'redacted-thinking' })
      return [...begun, ...this.#emit({ kind: 'signature', signature })]
    }
    const isSummary = detail['type'] === 'reasoning.summary'
    const signature = textOrNull(detail['signature'])
    const text = textOf(isSummary ? detail['summary'] : detail['text'])
    if (text === '' && signature === null) return []
    const id = textOrNull(detail['id'])
    return [
      ...this.#begin('thinking', { kind: 'thinking', ...(isSummary && { isSummary }), ...(id && { id }) }),
      ...(text === '' ? [] : this.#emit({ kind: 'text', text })),
      ...(signature === null ? [] : this.#emit({ kind: 'signature', signature })),
    ]
  }

  #content(content: unknown): AnswerEvent[] {
    if (!Array.isArray(content)) return this.#text('text', content)
    return objectsOf(content).flatMap((part) => this.#text('text', part['text']))
  }

  #text(kind: 'text' | 'thinking' | 'refusal', text: unknown): AnswerEvent[] {
    if (typeof text !== 'string' || text === '') return []
    return [...this.#begin(kind, { kind }), ...this.#emit({ kind: 'text', text })]
  }

  #citation(annotation: JsonObject): AnswerEvent[] {
    const cited = objectOf(annotation['url_citation'])
    const url = textOrNull(cited['url'])
    if (url === null) return []
    const title = textOrNull(cited['title'])
    const { start_index: start, end_index: end } = cited
    const citation = {
      url,
      ...(title && { title }),
      ...(typeof start === 'number' && { start }),
      ...(typeof end === 'number' && { end }),
    }
    return [...this.#begin('text', { kind: 'text' }), ...this.#emit({ kind: 'citation', citation })]
  }

  #audio(audio: JsonObject): AnswerEvent[] {
    const data = textOf(audio['data'])
    const transcript = textOrNull(audio['transcript'])
    const id = textOrNull(audio['id'])
    if (data === '' && transcript === null) return []
    const delta: Delta = {
      kind: 'media',
      mime: 'audio/wav',
      data,
      ...(transcript && { transcript }),
      ...(id && { id }),
    }
    return [...this.#begin('audio', { kind: 'media' }), ...this.#emit(delta)]
  }

  #image(image: JsonObject): AnswerEvent[] {
    const source = readDataUrl(textOf(objectOf(image['image_url'])['url']))
    if (source === null) return []
    return [
      ...this.#begin(`image ${this.#blocks}`, { kind: 'media' }),
      ...this.#emit({ kind: 'media', ...source }),
      ...this.end(),
    ]
  }

  #call(call: JsonObject, place: number): AnswerEvent[] {
    const index = typeof call['index'] === 'number' ? call['index'] : place
    const isCustom = call['type'] === 'custom' || 'custom' in call
    const called = objectOf(isCustom ? call['custom'] : call['function'])
    const id = textOf(call['id'])
    const name = textOf(called['name'])
    const key = `call ${index}`
    const isNew = this.#open?.key !== key || (id !== '' && name !== '' && this.#isOther(id))
    const text = textOf(isCustom ? called['input'] : called['arguments'])
    const signature = textOrNull(objectOf(objectOf(call['extra_content'])['google'])['thought_signature'])
    // More of a call that another block has followed already has nowhere to go.
    if (isNew && name === '') return []
    const begun = isNew ? this.#beginCall(key, id, name, isCustom) : []
    return [
      ...begun,
      ...(signature === null ? [] : this.#emit({ kind: 'signature', signature })),
      ...(text === '' ? [] : this.#emit({ kind: 'text', text })),
    ]
  }

  #isOther(id: string): boolean {
    return this.#callId !== id
  }

  #beginCall(key: string, id: string, name: string, isCustom: boolean): AnswerEvent[] {
    this.#hasCalls = true
    this.#callId = id || `call_${this.choice}_${this.#blocks}`
    const ended = this.end()
    const of = { kind: 'tool-call', id: this.#callId, name, ...(isCustom && { isCustom }) } as const
    return [...ended, ...this.#begin(key, of)]
  }

  #legacyCall(called: JsonObject): AnswerEvent[] {
    const name = textOf(called['name'])
    const text = textOf(called['arguments'])
    const begun = name === '' ? [] : this.#beginCall('function', name, name, false)
    return this.#open?.key === 'function' && text !== '' ? [...begun, ...this.#emit({ kind: 'text', text })] : begun
  }

  #begin(key: string, of: BlockKind): AnswerEvent[] {
    if (this.#open?.key === key) return []
    const ended = this.end()
    const number = this.#blocks
    this.#blocks += 1
    this.#open = { number, key }
    return [...ended, { type: 'block-start', choice: this.choice, block: number, of }]
  }

  #emit(delta: Delta): AnswerEvent[] {
    return this.#open === null ? [] : [{ type: 'block-delta', choice: this.choice, block: this.#open.number, delta }]
  }
}
