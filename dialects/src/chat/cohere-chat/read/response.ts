import { holdsSomething, LeftOutEvents } from '../../../core/neutral/left-out'
import { isObject, type JsonObject } from '../../../core/json'
import type { EventReader } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../../core/neutral/events'
import {
  jsonTextOf,
  numberOrNull,
  objectOf,
  objectsOf,
  omitUndefined,
  parsedObject,
  textOf,
  textOrNull,
} from '../../../core/neutral/read'
import { readCohereUsage } from '../usage'
import { errorIn } from '../../../core/shared/errors'
import { reportedFailure } from '../../../core/shared/reported-failure'
import type { Citation } from '../../../core/neutral/call'

/** A whole answer, read as the stream that would have brought it. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new CohereEventReader()
  return eventsOf(answer).flatMap((event) => reader.take(event))
}

/** The message of an error is a text; that of an answer is an object. */
function eventsOf(answer: JsonObject): JsonObject[] {
  if (typeof answer['message'] === 'string' || answer['error']) return [{ ...answer, type: 'error' }]
  const { id, finish_reason, usage } = answer
  const message = objectOf(answer['message'])
  const plan = textOf(message['tool_plan'])
  const rest = Object.keys(message).filter((name) => !messageMembers.has(name) && holdsSomething(message[name]))
  return [
    { type: 'message-start', id },
    ...(plan === '' ? [] : [{ type: 'tool-plan-delta', delta: { message: { tool_plan: plan } } }]),
    ...contentEvents(message),
    ...objectsOf(message['tool_calls']).flatMap((call, index) => [
      { type: 'tool-call-start', index, delta: { message: { tool_calls: call } } },
      { type: 'tool-call-end', index },
    ]),
    ...rest.map((name) => ({ type: `message.${name}` })),
    { type: 'message-end', delta: { finish_reason, usage } },
  ]
}

/** Older answers have a mere text. Citations stand next to the content and name the item they belong to. */
function contentEvents({ content, citations }: JsonObject): JsonObject[] {
  const items = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const lone = items.findIndex(({ type }) => type === 'text')
  const contentIndexOf = (citation: JsonObject): unknown =>
    objectOf(items[Number(citation['content_index'])])['type'] === 'text' ? citation['content_index'] : lone
  return items.flatMap((item, index) => [
    { type: 'content-start', index, delta: { message: { content: item } } },
    ...objectsOf(citations)
      .filter((citation) => contentIndexOf(citation) === index)
      .map((citation) => ({ type: 'citation-start', delta: { message: { citations: citation } } })),
    { type: 'content-end', index },
  ])
}

/** Reads a stream. https://docs.cohere.com/docs/streaming */
export function createReader(): EventReader {
  const reader = new CohereEventReader()
  return {
    read: ({ name, data }) => {
      const event = parsedObject(data)
      if (event === null) return []
      return reader.take('type' in event || name === '' ? event : { ...event, type: name })
    },
    end: () => reader.end(),
  }
}

/** `plan`: what the model says before it calls tools. */
type Spoken = 'text' | 'thinking' | 'plan'

interface OpenBlock {
  readonly number: number
  readonly kind: Spoken | 'call'
  hasText: boolean
}

/** Changes between words and thoughts while a call is open: far more than a model makes. What is said beyond is left out. */
const maxHeld = 4096

/** Reads the events of a chat's stream, given as objects. https://docs.cohere.com/docs/streaming */
class CohereEventReader {
  #open: OpenBlock | null = null
  #blocks = 0
  #calls = 0
  /** What was said while a call was open: it comes behind it. */
  readonly #held: { readonly kind: Spoken; text: string }[] = []
  #isStarted = false
  #isOver = false
  readonly #leftOut = new LeftOutEvents()

  take(event: JsonObject): AnswerEvent[] {
    if (this.#isOver) return []
    const delta = objectOf(event['delta'])
    const message = objectOf(delta['message'])
    switch (event['type']) {
      case 'message-start':
        return this.#start(textOf(event['id']))
      case 'content-start':
        return [...this.#start(), ...this.#startContent(objectOf(message['content']))]
      case 'content-delta':
        return [...this.#start(), ...this.#content(objectOf(message['content']))]
      case 'tool-plan-delta':
        return [...this.#start(), ...this.#appendText('plan', textOf(message['tool_plan'] ?? delta['tool_plan']))]
      case 'tool-call-start':
        return [...this.#start(), ...this.#startCalls(message['tool_calls'] ?? delta['tool_call'])]
      case 'tool-call-delta':
        return this.#arguments(message['tool_calls'] ?? delta['tool_call'])
      case 'content-end':
        return this.#open?.kind === 'call' ? [] : this.#endBlock()
      case 'tool-call-end':
        return this.#endCall()
      case 'citation-start':
        return this.#cite(message['citations'])
      case 'message-end':
        return [...this.#start(), ...this.#finish(delta)]
      default:
        return this.#fail(event)
    }
  }

  end(): AnswerEvent[] {
    return this.#isOver ? [] : [...this.#endCall(), ...this.#endBlock()]
  }

  #start(id = ''): AnswerEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [{ type: 'answer-start', id, model: '', createdAt: 0 }]
  }

  /** A start may carry text already: all of it in a whole answer. */
  #startContent(content: JsonObject): AnswerEvent[] {
    const kind = content['type'] === 'thinking' ? 'thinking' : 'text'
    if (!contentTypes.has(textOf(content['type']))) return this.#leftOut.part(content, 'cohere-chat')
    const opened = this.#open?.kind === 'call' ? [] : this.#openBlock(kind, { kind })
    return [...opened, ...this.#appendText(kind, textOf(content[kind]))]
  }

  #content(content: JsonObject): AnswerEvent[] {
    return [
      ...this.#appendText('thinking', textOf(content['thinking'])),
      ...this.#appendText('text', textOf(content['text'])),
      ...this.#leftOut.members(content, contentMembers, 'content'),
    ]
  }

  /** More of the open block, or of a new one where another kind is open. */
  #appendText(kind: Spoken, text: string): AnswerEvent[] {
    if (text === '') return []
    if (this.#open?.kind === 'call') {
      this.#hold(kind, text)
      return []
    }
    const isOpen = this.#open?.kind === kind
    const opened = isOpen ? [] : this.#openBlock(kind, { kind: kind === 'thinking' ? kind : 'text' })
    return [...opened, ...this.#emit({ kind: 'text', text })]
  }

  #startCalls(reported: unknown): AnswerEvent[] {
    return callsIn(reported).flatMap((call) => {
      const called = objectOf(call['function'])
      const id = textOf(call['id']) || `call_${this.#blocks}`
      this.#calls += 1
      return [
        ...this.#endCall(),
        ...this.#openBlock('call', { kind: 'tool-call', id, name: textOf(called['name']) }),
        ...this.#write(jsonTextOf(called['arguments'])),
      ]
    })
  }

  #arguments(reported: unknown): AnswerEvent[] {
    if (this.#open?.kind !== 'call') return []
    return callsIn(reported).flatMap((call) => this.#write(jsonTextOf(objectOf(call['function'])['arguments'])))
  }

  #write(text: string): AnswerEvent[] {
    return text === '' ? [] : this.#emit({ kind: 'text', text })
  }

  #cite(reported: unknown): AnswerEvent[] {
    if (this.#open?.kind !== 'text') return citationsIn(reported).length === 0 ? [] : this.#leftOut.name('citations')
    return citationsIn(reported)
      .flatMap(readCitations)
      .flatMap((citation) => this.#emit({ kind: 'citation', citation }))
  }

  #openBlock(kind: OpenBlock['kind'], of: BlockKind): AnswerEvent[] {
    const ended = this.#endBlock()
    const number = this.#blocks
    this.#blocks += 1
    this.#open = { number, kind, hasText: false }
    return [...ended, { type: 'block-start', choice: 0, block: number, of }]
  }

  #emit(delta: Delta): AnswerEvent[] {
    if (this.#open === null) return []
    if (delta.kind === 'text') this.#open.hasText = true
    return [{ type: 'block-delta', choice: 0, block: this.#open.number, delta }]
  }

  #endCall(): AnswerEvent[] {
    const ended = this.#endBlock()
    return [...ended, ...this.#held.splice(0).flatMap(({ kind, text }) => this.#appendText(kind, text))]
  }

  #hold(kind: Spoken, text: string): void {
    const last = this.#held.at(-1)
    if (last?.kind === kind) last.text += text
    else if (this.#held.length < maxHeld) this.#held.push({ kind, text })
  }

  /** A tool without parameters is called with an empty object. */
  #endBlock(): AnswerEvent[] {
    if (this.#open === null) return []
    const { number, kind, hasText } = this.#open
    const rest = kind === 'call' && !hasText ? this.#emit({ kind: 'text', text: '{}' }) : []
    this.#open = null
    return [...rest, { type: 'block-end', choice: 0, block: number }]
  }

  #finish(delta: JsonObject): AnswerEvent[] {
    const rawReason = textOf(delta['finish_reason'])
    const usage = readCohereUsage(objectOf(delta['usage']))
    const ended = [...this.#endCall(), ...this.#endBlock()]
    const counted: AnswerEvent[] = usage === null ? [] : [{ type: 'usage', usage }]
    this.#isOver = true
    if (failures.has(rawReason)) {
      const message = textOf(delta['error']) || `The upstream ended with ${rawReason}.`
      return [...ended, ...counted, { type: 'failure', error: { message, type: '', code: rawReason, param: null } }]
    }
    return [...ended, ...choiceEnd(rawReason, this.#calls > 0), ...counted, { type: 'answer-end' }]
  }

  #fail(event: JsonObject): AnswerEvent[] {
    const message = event['message']
    const error =
      reportedFailure(event, false) ??
      errorIn(typeof message === 'string' && message !== '' ? { error: { ...event, type: '' } } : event)
    const type = textOf(event['type'])
    if (error === null) return passedOver.has(type) ? [] : this.#leftOut.part(event, 'cohere-chat')
    this.#isOver = true
    return [{ type: 'failure', error }]
  }
}

const contentTypes: ReadonlySet<string> = new Set(['', 'text', 'thinking'])
const contentMembers: ReadonlySet<string> = new Set(['type', 'text', 'thinking'])
const messageMembers: ReadonlySet<string> = new Set(['role', 'content', 'tool_plan', 'tool_calls', 'citations'])
const passedOver: ReadonlySet<string> = new Set(['', 'citation-end', 'debug'])

const failures: ReadonlySet<string> = new Set(['ERROR', 'TIMEOUT'])

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop-sequence'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool-calls'],
  ['ERROR_LIMIT', 'context-window'],
  ['ERROR_TOXIC', 'content-filter'],
])

/** An answer that does not say why it ended is taken for cut off. */
function choiceEnd(rawReason: string, hasCalls: boolean): AnswerEvent[] {
  if (rawReason === '') return []
  const mappedReason = reasons.get(rawReason) ?? 'other'
  const reason = mappedReason === 'stop' && hasCalls ? 'tool-calls' : mappedReason
  return [{ type: 'choice-end', choice: 0, reason, rawReason, stopSequence: null }]
}

/** One stands alone; older streams had lists. */
const callsIn = (reported: unknown): readonly JsonObject[] => (isObject(reported) ? [reported] : objectsOf(reported))
const citationsIn = callsIn

/** One citation for each source of a stretch of text. https://docs.cohere.com/docs/rag-citations */
function readCitations(citation: JsonObject): readonly Citation[] {
  const sources = objectsOf(citation['sources'])
  const place = omitUndefined({
    start: numberOrNull(citation['start']) ?? undefined,
    end: numberOrNull(citation['end']) ?? undefined,
  })
  return (sources.length > 0 ? sources : [{}]).map((source) => ({
    ...place,
    ...readSource(source),
    own: { dialect: 'cohere-chat', value: citation },
  }))
}

/** A document that the client gave, or what a tool answered; their members are the client's. */
function readSource(source: JsonObject): Citation {
  const of = objectOf(source['document'] ?? source['tool_output'])
  return omitUndefined({
    url: textOrNull(of['url']) ?? undefined,
    title: textOrNull(of['title']) ?? undefined,
    quote: textOrNull(of['snippet']) ?? textOrNull(of['text']) ?? undefined,
  })
}
