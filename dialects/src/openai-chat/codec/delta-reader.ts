import type { JsonObject } from '../../json'
import type { BlockKind, Delta, AnswerEvent } from '../../neutral/events'
import { objectOf, objectsOf, parsedObject, readDataUrl, textOf, textOrNull } from '../../neutral/read'

interface Open {
  readonly number: number
  /** What makes a delta belong to it: the kind, and the place of a call among the calls. */
  readonly key: string
}

/**
 * Reads the deltas of one choice, which name no blocks: whatever changes its kind begins the next. Calls may be told
 * alternately; each is given in one piece all the same.
 */
export class DeltaReader {
  #blocks = 0
  #open: Open | null = null
  /** Of the open call. */
  #callId = ''
  #callText = ''
  /** Calls that began while the one before them was not whole. */
  #waiting: (CallPiece & { readonly key: string; text: string })[] = []

  constructor(private readonly choice: number) {}

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
    return [...this.#promote(true), ...this.#close()]
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
    const piece = readCallPiece(call)
    const key = `call ${index}`
    const isMore = this.#open?.key === key && (piece.id === '' || piece.name === '' || piece.id === this.#callId)
    if (isMore) return [...this.#say(piece), ...this.#promote(false)]
    const known = this.#waiting.find((waiting) => waiting.key === key)
    if (known) {
      known.text += piece.text
      return []
    }
    // More of a call that was closed already has nowhere to go.
    if (piece.name === '') return []
    this.#waiting.push({ ...piece, key })
    return this.#promote(false)
  }

  /** Begin the calls that wait, as far as the ones before them are whole; all of them when nothing more is to come. */
  #promote(isLast: boolean): AnswerEvent[] {
    const [next] = this.#waiting
    if (next === undefined || !(isLast || !this.#isInCall || isWhole(this.#callText))) return []
    this.#waiting.shift()
    const begun = this.#beginCall(next.key, next.id, next.name, next.isCustom)
    return [...begun, ...this.#say(next), ...this.#promote(isLast)]
  }

  get #isInCall(): boolean {
    return this.#open?.key.startsWith('call ') ?? false
  }

  #say({ signature, text }: CallPiece): AnswerEvent[] {
    this.#callText += text
    return [
      ...(signature === '' ? [] : this.#emit({ kind: 'signature', signature })),
      ...(text === '' ? [] : this.#emit({ kind: 'text', text })),
    ]
  }

  #beginCall(key: string, id: string, name: string, isCustom: boolean): AnswerEvent[] {
    this.#callText = ''
    this.#callId = id || `call_${this.choice}_${this.#blocks}`
    const of = { kind: 'tool-call', id: this.#callId, name, ...(isCustom && { isCustom }) } as const
    return [...this.#close(), ...this.#start(key, of)]
  }

  #legacyCall(called: JsonObject): AnswerEvent[] {
    const name = textOf(called['name'])
    const text = textOf(called['arguments'])
    const begun = name === '' ? [] : [...this.#promote(true), ...this.#beginCall('function', name, name, false)]
    return this.#open?.key === 'function' && text !== '' ? [...begun, ...this.#emit({ kind: 'text', text })] : begun
  }

  /** Go on with the open block of this key, or begin one; calls that wait come before it. */
  #begin(key: string, of: BlockKind): AnswerEvent[] {
    if (this.#open?.key === key) return []
    return [...this.end(), ...this.#start(key, of)]
  }

  #start(key: string, of: BlockKind): AnswerEvent[] {
    const number = this.#blocks
    this.#blocks += 1
    this.#open = { number, key }
    return [{ type: 'block-start', choice: this.choice, block: number, of }]
  }

  #close(): AnswerEvent[] {
    if (this.#open === null) return []
    const { number } = this.#open
    this.#open = null
    return [{ type: 'block-end', choice: this.choice, block: number }]
  }

  #emit(delta: Delta): AnswerEvent[] {
    return this.#open === null ? [] : [{ type: 'block-delta', choice: this.choice, block: this.#open.number, delta }]
  }
}

interface CallPiece {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly signature: string
  readonly isCustom: boolean
}

function readCallPiece(call: JsonObject): CallPiece {
  const isCustom = call['type'] === 'custom' || 'custom' in call
  const called = objectOf(isCustom ? call['custom'] : call['function'])
  return {
    id: textOf(call['id']),
    name: textOf(called['name']),
    text: textOf(isCustom ? called['input'] : called['arguments']),
    signature: textOf(objectOf(objectOf(call['extra_content'])['google'])['thought_signature']),
    isCustom,
  }
}

/** Whether a call's arguments are all there. */
const isWhole = (text: string): boolean => text.trimEnd().endsWith('}') && parsedObject(text) !== null
