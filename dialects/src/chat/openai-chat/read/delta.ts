import { LeftOutEvents } from '../../../core/neutral/left-out'
import type { JsonObject } from '../../../core/json'
import type { AnswerEvent, BlockKind, Delta, Page } from '../../../core/neutral/events'
import { jsonTextOf, objectOf, objectsOf, readDataUrl, textOf } from '../../../core/neutral/read'
import { joinsText } from '../../../core/shared/joined-text'
import { CallArguments } from './call-arguments'
import {
  callMembers,
  isKnownPart,
  isKnownThought,
  isUnknownCall,
  knownMembers,
  nonTextMembers,
  readAnnotation,
  readAudioPiece,
  readCallPiece,
  readThinkingPart,
  readThoughtBlock,
  readThoughtPiece,
  hasOtherMembers,
  type CallPiece,
  type ThoughtPiece,
} from './delta-parts'

/** Calls of one choice that are read, and pieces that wait for one: far more than a model makes. Those beyond are left out. */
const maxCalls = 4096
/** Characters of what waits for the call before it. */
const maxWaitingLength = 16 * 1024 * 1024

/** Nothing but more of a text, as most deltas are. */
function isText(delta: JsonObject): boolean {
  for (const name in delta) if (name !== 'content' && name !== 'role' && delta[name] !== null) return false
  return typeof delta['content'] === 'string'
}

type TextKind = 'text' | 'thinking' | 'refusal'

interface Open {
  readonly number: number
  /** What makes a delta belong to it: the kind, and the place of a call among the calls. */
  readonly key: string
}

interface Call {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly isCustom: boolean
  readonly args: CallArguments
  /** What was read of it before its block began. */
  signature: string
  text: string
}

/**
 * Reads the deltas of one choice, which name no blocks: whatever changes its kind begins the next. Calls may be told
 * alternately, and with words between their pieces; each is given in one piece all the same.
 */
export class DeltaReader {
  /** How many tools were called. */
  calls = 0
  hasRefused = false
  #blocks = 0
  #open: Open | null = null
  #openCall: Call | null = null
  /** Calls that began, and deltas that said something, while the call before them was not whole. */
  readonly #waiting = new Set<Call | JsonObject>()
  #waitingLength = 0
  /** The latest piece that waits, unless it is a call. */
  #lastWaiting: JsonObject | undefined
  #startedCalls = 0
  /** The latest call at each place among the calls, and each call with an id by both. */
  readonly #known = new Map<string, Call>()
  /** What came of calls at their places before their names. */
  readonly #nameless = new Map<string, CallPiece>()
  #namelessLength = 0
  /** How long the content is, and where in it the latest text began. */
  #length = 0
  #textStart = 0

  readonly #leftOut = new LeftOutEvents()

  constructor(private readonly choice: number) {}

  read(delta: JsonObject): AnswerEvent[] {
    if (this.#open?.key === 'text' && isText(delta)) return this.#text('text', delta['content'])
    const contentEvents = this.#readOrDefer(delta)
    const called = 'tool_calls' in delta ? this.#calls(objectsOf(delta['tool_calls'])) : []
    const legacy = 'function_call' in delta ? this.#legacyCall(objectOf(delta['function_call'])) : []
    // Most deltas are of one kind.
    if (called.length === 0 && legacy.length === 0) return contentEvents
    return contentEvents.length === 0 && legacy.length === 0 ? called : [...contentEvents, ...called, ...legacy]
  }

  end(): AnswerEvent[] {
    const nameless = this.#nameless.size > 0 ? this.#leftOut.name('a call without a name') : []
    return [...this.#promote(true), ...this.#close(), ...nameless]
  }

  /** Called when all else was read, before the end. The host founds the whole answer on these pages. */
  cite(pages: readonly Page[]): AnswerEvent[] {
    if (this.#openCall) return []
    return pages.flatMap(({ url, title }) => [
      ...this.#begin('text', { kind: 'text' }),
      ...this.#emit({ kind: 'citation', citation: { url, ...(title !== '' && { title }) } }),
    ])
  }

  /** What a delta says apart from its calls. Between two pieces of a call it waits until that is whole, or everything has been said. */
  #readOrDefer(delta: JsonObject): AnswerEvent[] {
    if (!hasOtherMembers(delta, callMembers)) return []
    if (!this.#openCall || isWhole(this.#openCall)) return this.#readAllButCalls(delta)
    if (!hasOtherMembers(delta, nonTextMembers)) return []
    const { length } = JSON.stringify(delta)
    if (this.#waitingLength + length > maxWaitingLength) return []
    this.#waitingLength += length
    if (['content', 'reasoning_content', 'reasoning'].some((member) => joinsText(this.#lastWaiting, delta, member)))
      return []
    if (this.#waiting.size >= maxCalls) return []
    this.#waiting.add(delta)
    this.#lastWaiting = delta
    return []
  }

  /** Reads all of a delta but its calls. */
  #readAllButCalls(delta: JsonObject): AnswerEvent[] {
    const audio = readAudioPiece(objectOf(delta['audio']))
    return [
      ...this.#thoughts(delta),
      ...this.#content(delta['content']),
      ...this.#text('refusal', delta['refusal']),
      ...objectsOf(delta['annotations']).flatMap((annotation) => this.#citation(annotation)),
      ...(audio ? [...this.#begin('audio', { kind: 'media' }), ...this.#emit(audio)] : []),
      ...objectsOf(delta['images']).flatMap((image) => this.#image(image)),
      ...this.#leftOut.members(delta, knownMembers, 'message'),
    ]
  }

  /** Details carry the signatures; what they say is said in the plain member too, and counts once. */
  #thoughts(delta: JsonObject): AnswerEvent[] {
    const details = objectsOf(delta['reasoning_details'])
    const pieces = [...details.map(readThoughtPiece), ...objectsOf(delta['thinking_blocks']).map(readThoughtBlock)]
    const read = pieces.filter((piece) => piece !== null)
    const plain = read.some(({ text }) => text !== '') ? '' : (delta['reasoning_content'] ?? delta['reasoning'])
    return [
      ...this.#text('thinking', plain),
      ...read.flatMap((piece) => this.#thought(piece)),
      ...[...details, ...objectsOf(delta['thinking_blocks'])].flatMap((detail) =>
        isKnownThought(detail) ? [] : this.#leftOut.part(detail, 'reasoning'),
      ),
    ]
  }

  #thought({ key, of, text, signature }: ThoughtPiece): AnswerEvent[] {
    return [
      ...this.#begin(key ?? `alone ${this.#blocks}`, of),
      ...(text === '' ? [] : this.#emit({ kind: 'text', text })),
      ...(signature === '' ? [] : this.#emit({ kind: 'signature', signature })),
    ]
  }

  #content(content: unknown): AnswerEvent[] {
    if (typeof content === 'string' || content === null || content === undefined) return this.#text('text', content)
    return contentOf(content).flatMap((part) => [
      ...this.#text('thinking', readThinkingPart(part)),
      ...this.#text('text', part['text']),
      ...this.#text('refusal', part['refusal']),
      ...this.#image(part),
      ...(isKnownPart(part) ? [] : this.#leftOut.part(part, 'content')),
    ])
  }

  #text(kind: TextKind, text: unknown): AnswerEvent[] {
    if (typeof text !== 'string' || text === '') return []
    const events = [...this.#begin(kind, { kind }), ...this.#emit({ kind: 'text', text })]
    if (kind === 'text') this.#length += text.length
    if (kind === 'refusal') this.hasRefused = true
    return events
  }

  /** Belongs to the text before it; a call is not broken off for it. */
  #citation(annotation: JsonObject): AnswerEvent[] {
    if (this.#openCall) return []
    const startEvents = readAnnotation(annotation, 0) ? this.#begin('text', { kind: 'text' }) : []
    const citation = readAnnotation(annotation, this.#textStart)
    if (!citation)
      return [...startEvents, ...this.#leftOut.name(`the citation ${textOf(annotation['type']).slice(0, 64)}`)]
    return [...startEvents, ...this.#emit({ kind: 'citation', citation })]
  }

  #image(image: JsonObject): AnswerEvent[] {
    const url = textOf(objectOf(image['image_url'])['url'])
    const source = readDataUrl(url)
    // Other dialects answer with the bytes of pictures alone.
    if (source === null)
      return /^https?:/.test(url) ? this.#text('text', `![](${url})`) : url === '' ? [] : this.#leftOut.name('an image')
    return [
      ...this.#begin(`image ${this.#blocks}`, { kind: 'media' }),
      ...this.#emit({ kind: 'media', ...source }),
      ...this.#close(),
    ]
  }

  #calls(calls: readonly JsonObject[]): AnswerEvent[] {
    const [only, ...others] = calls
    if (only !== undefined && others.length === 0) return this.#call(only, 0)
    return calls.flatMap((call, index) => this.#call(call, index))
  }

  #call(call: JsonObject, position: number): AnswerEvent[] {
    if (isUnknownCall(call)) return this.#leftOut.part(call, 'tool_calls')
    const index = typeof call['index'] === 'number' ? call['index'] : position
    return this.#piece(`call ${index}`, readCallPiece(call))
  }

  #piece(key: string, piece: CallPiece): AnswerEvent[] {
    const known = this.#known.get(`${key} ${piece.id}`) ?? this.#known.get(key)
    if (known && continues(known, piece)) return this.#more(known, piece)
    const nameless = this.#nameless.get(key)
    if (nameless) return this.#nameCall(key, piece, nameless)
    if (piece.name === '') return this.#hold(key, piece)
    if (this.#startedCalls >= maxCalls) return []
    this.#startedCalls += 1
    const args = new CallArguments(piece.isCustom)
    const startedCall: Call = { ...piece, key, args, text: args.take(piece.text) }
    this.#known.set(key, startedCall)
    if (piece.id !== '') this.#known.set(`${key} ${piece.id}`, startedCall)
    this.#waiting.add(startedCall)
    this.#lastWaiting = undefined
    this.#waitingLength += startedCall.text.length
    return this.#promote(false)
  }

  /** Keeps what comes of a call before its name. */
  #hold(key: string, piece: CallPiece): AnswerEvent[] {
    if (this.#nameless.size >= maxCalls || this.#namelessLength + piece.text.length > maxWaitingLength) return []
    this.#namelessLength += piece.text.length
    this.#nameless.set(key, piece)
    return []
  }

  #nameCall(key: string, piece: CallPiece, nameless: CallPiece): AnswerEvent[] {
    this.#nameless.delete(key)
    this.#namelessLength -= nameless.text.length
    return this.#piece(key, {
      id: piece.id || nameless.id,
      name: piece.name,
      text: nameless.text + piece.text,
      signature: piece.signature || nameless.signature,
      isCustom: piece.isCustom || nameless.isCustom,
    })
  }

  #more(call: Call, piece: CallPiece): AnswerEvent[] {
    const text = call.args.take(piece.text)
    if (call === this.#openCall)
      return [...this.#emitPiece({ signature: piece.signature, text }), ...this.#promote(false)]
    // More of a call that was closed already has nowhere to go.
    if (!this.#waiting.has(call)) return []
    if (this.#waitingLength + text.length > maxWaitingLength) return []
    this.#waitingLength += text.length
    call.text += text
    call.signature ||= piece.signature
    return []
  }

  /** Reads what waits, as far as the calls before it are whole; all of it when nothing more is to come. */
  #promote(isLast: boolean): AnswerEvent[] {
    const events: AnswerEvent[] = []
    for (const next of this.#waiting) {
      if (!isLast && this.#openCall && !isWhole(this.#openCall)) break
      this.#waiting.delete(next)
      if (next === this.#lastWaiting) this.#lastWaiting = undefined
      for (const event of isCall(next) ? this.#openWaiting(next) : this.#readAllButCalls(next)) events.push(event)
    }
    if (this.#waiting.size === 0) this.#waitingLength = 0
    return events
  }

  #openWaiting(call: Call): AnswerEvent[] {
    const startEvents = this.#beginCall(call)
    this.#openCall = call
    return [...startEvents, ...this.#emitPiece(call)]
  }

  #emitPiece({ signature, text }: Pick<CallPiece, 'signature' | 'text'>): AnswerEvent[] {
    return [
      ...(signature === '' ? [] : this.#emit({ kind: 'signature', signature })),
      ...(text === '' ? [] : this.#emit({ kind: 'text', text })),
    ]
  }

  #beginCall({ key, id, name, isCustom }: Call): AnswerEvent[] {
    const callId = id || `call_${this.choice}_${this.#blocks}`
    this.calls += 1
    const of = { kind: 'tool-call', id: callId, name, ...(isCustom && { isCustom }) } as const
    return [...this.#close(), ...this.#start(key, of)]
  }

  #legacyCall(called: JsonObject): AnswerEvent[] {
    const name = textOf(called['name'])
    const text = jsonTextOf(called['arguments'])
    if (name === '' && text === '') return []
    return this.#piece('function', { id: name, name, text, signature: '', isCustom: false })
  }

  /** Go on with the open block of this key, or begin one. */
  #begin(key: string, of: BlockKind): AnswerEvent[] {
    // Vendors that number their thoughts tell some of the words without the number.
    if (this.#open?.key === key || (key === 'thinking' && this.#open?.key.startsWith('thinking'))) return []
    return [...this.#close(), ...this.#start(key, of)]
  }

  #start(key: string, of: BlockKind): AnswerEvent[] {
    const number = this.#blocks
    this.#blocks += 1
    this.#open = { number, key }
    if (of.kind === 'text') this.#textStart = this.#length
    return [{ type: 'block-start', choice: this.choice, block: number, of }]
  }

  #close(): AnswerEvent[] {
    if (this.#open === null) return []
    const { number } = this.#open
    const rest = this.#openCall?.args.rest() ?? ''
    const events = rest === '' ? [] : this.#emit({ kind: 'text', text: rest })
    this.#open = null
    this.#openCall = null
    return [...events, { type: 'block-end', choice: this.choice, block: number }]
  }

  #emit(delta: Delta): AnswerEvent[] {
    return this.#open === null ? [] : [{ type: 'block-delta', choice: this.choice, block: this.#open.number, delta }]
  }
}

/** A delta has no key. */
const isCall = (waiting: Call | JsonObject): waiting is Call => waiting.args instanceof CallArguments

const isWhole = ({ args }: Call): boolean => args.isWhole

/** Whether a piece is more of a call, and does not begin another one at the same place. */
function continues(call: Call, { id, name, text }: CallPiece): boolean {
  if (name === '') return true
  // Vendors without ids tell one call after the other at the same place; others repeat the name in each piece.
  if (id === '') return !isWhole(call) || text === ''
  return id === call.id
}

/** Hosts write texts without a part around them, or one part without a list. */
const contentOf = (content: unknown): readonly JsonObject[] =>
  (Array.isArray(content) ? content : [content]).map((part: unknown) =>
    typeof part === 'string' ? { text: part } : objectOf(part),
  )
