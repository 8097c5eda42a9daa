import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta } from '../../../core/neutral/events'
import { jsonTextOf, objectOf, objectsOf, parsedObject, textOf, textOrNull } from '../../../core/neutral/read'
import { LeftOutEvents } from '../../../core/neutral/left-out'
import { believedUsage, toolCallCounts } from '../../../core/shared/reported-usage'
import type { ToolCalls } from '../../../core/usage'
import { errorIn } from '../errors'
import { dialectId } from '../name'
import { isWebSearch, mergedUsage, readUsage } from '../usage'
import { readCitation } from '../citations'
import { BlockOrder } from './block-order'
import { readStopReason } from '../stop-reasons'
import { reportedFailure } from '../../../core/shared/reported-failure'

/** A whole message, read as the stream that would have brought it. */
export function readAnswer(answer: JsonObject, dialect: string = dialectId): readonly AnswerEvent[] {
  const reader = new MessageEventReader(dialect)
  return eventsOf(answer).flatMap((event) => reader.take(event))
}

/** The events of a whole message; any other body may be an error. */
function eventsOf(answer: JsonObject): JsonObject[] {
  if (answer['type'] === 'error' || answer['error']) return [answer]
  const blocks = objectsOf(answer['content']).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ])
  const { stop_reason, stop_sequence, usage } = answer
  return [
    { type: 'message_start', message: { ...answer, usage: undefined } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ]
}

/** Reads a stream of a message. */
export function createReader(): EventReader {
  const reader = new MessageEventReader()
  return {
    read: ({ name, data }: ServerEvent) => {
      const event = name === 'ping' ? null : parsedObject(data)
      if (event === null) return []
      // Some followers name the event and leave the type out of its data.
      return reader.take('type' in event || name === '' ? event : { ...event, type: name })
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}

interface OpenBlock {
  readonly position: unknown
  readonly number: number
  readonly kind: BlockKind['kind']
  /** Its start carried the whole input of a call; deltas take its place. */
  readonly whole: string
  hasText: boolean
}

/**
 * Reads the events of a message's stream, given as objects.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class MessageEventReader {
  readonly #order = new BlockOrder()
  #open: OpenBlock | null = null
  #blocks = 0
  #totals: JsonObject = {}
  #calls = 0
  /** Searches that the vendor was seen to make. */
  #webSearches = 0
  #isOver = false
  readonly #leftOut = new LeftOutEvents()

  /** `dialect`: whose blocks they are, where another one is read as these. */
  constructor(private readonly dialect: string = dialectId) {}

  get toolCalls(): ToolCalls {
    return toolCallCounts({ webSearch: this.#webSearches })
  }

  take(event: JsonObject): AnswerEvent[] {
    if (this.#isOver) return []
    switch (event['type']) {
      case 'message_start':
        return this.#start(objectOf(event['message']))
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
        return this.#order.take(event).flatMap((next) => this.#ofBlock(next))
      case 'message_delta':
        return this.#finish(event)
      case 'message_stop':
        this.#isOver = true
        return [...this.#endBlocks(), { type: 'answer-end' }]
      default:
        return this.#fail(event)
    }
  }

  end(): AnswerEvent[] {
    return this.#isOver ? [] : this.#endBlocks()
  }

  #ofBlock(event: JsonObject): AnswerEvent[] {
    const index = event['index']
    switch (event['type']) {
      case 'content_block_start':
        return this.#startBlock(index, objectOf(event['content_block']))
      case 'content_block_delta':
        return this.#delta(index, objectOf(event['delta']))
      default:
        // A call whose input was whole may have been closed before its end came.
        return index === undefined || index === this.#open?.position ? this.#endBlock() : []
    }
  }

  #endBlocks(): AnswerEvent[] {
    return [...this.#order.rest().flatMap((event) => this.#ofBlock(event)), ...this.#endBlock()]
  }

  #start(message: JsonObject): AnswerEvent[] {
    return [
      { type: 'answer-start', id: textOf(message['id']), model: textOf(message['model']), createdAt: 0 },
      ...this.#account(message['usage'], false),
      ...this.#leftOut.members(message, messageMembers, 'message'),
    ]
  }

  /** Counts are totals so far: the latest one of each stands. Only the end of the answer covers what was said. */
  #account(reported: unknown, isCovered: boolean): AnswerEvent[] {
    this.#totals = mergedUsage(this.#totals, reported)
    const usage = believedUsage(readUsage(this.#totals), { hasOutput: false, isCovered })
    return usage === null ? [] : [{ type: 'usage', usage }]
  }

  #startBlock(index: unknown, block: JsonObject): AnswerEvent[] {
    const of = kindOf(block, this.#blocks, this.dialect)
    const events = this.#openBlock(index, of, of.kind === 'tool-call' ? jsonTextOf(block['input']) || '{}' : '')
    if (of.kind === 'tool-call') this.#calls += 1
    if (isWebSearch(block)) this.#webSearches += 1
    const known = membersOf.get(block['type'])
    return [
      ...events,
      ...startDeltas(block, of).flatMap((delta) => this.#emit(delta)),
      ...(known ? this.#leftOut.members(block, known, textOf(block['type'])) : []),
    ]
  }

  #openBlock(index: unknown, of: BlockKind, whole = ''): AnswerEvent[] {
    const ended = this.#endBlock()
    const number = this.#blocks
    this.#blocks += 1
    this.#open = { position: index, number, kind: of.kind, whole, hasText: false }
    return [...ended, { type: 'block-start', choice: 0, block: number, of }]
  }

  #delta(index: unknown, delta: JsonObject): AnswerEvent[] {
    const events: AnswerEvent[] = []
    const kind = unannounced[textOf(delta['type'])]
    const isElsewhere = this.#open?.position !== index || (this.#open?.kind === 'tool-call' && kind !== undefined)
    if (this.#open === null || isElsewhere) {
      // A follower of the dialect that names no blocks: its deltas tell what they belong to.
      if (kind === undefined)
        return knownDeltas.has(textOf(delta['type'])) ? [] : this.#leftOut.part(delta, this.dialect)
      events.push(...this.#openBlock(index, { kind }))
    }
    const isOwn = this.#open?.kind === 'own'
    const read: Delta | null = isOwn ? { kind: 'own', dialect: this.dialect, value: delta } : readDelta(delta)
    if (read !== null) return [...events, ...this.#emit(read)]
    return knownDeltas.has(textOf(delta['type'])) ? events : [...events, ...this.#leftOut.part(delta, this.dialect)]
  }

  #emit(delta: Delta): AnswerEvent[] {
    if (this.#open === null) return []
    if (delta.kind === 'text') this.#open.hasText = true
    return [{ type: 'block-delta', choice: 0, block: this.#open.number, delta }]
  }

  #endBlock(): AnswerEvent[] {
    if (this.#open === null) return []
    const { number, whole, hasText } = this.#open
    const rest = whole !== '' && !hasText ? this.#emit({ kind: 'text', text: whole }) : []
    this.#open = null
    return [...rest, { type: 'block-end', choice: 0, block: number }]
  }

  #finish(event: JsonObject): AnswerEvent[] {
    const delta = objectOf(event['delta'])
    const rawReason = textOf(delta['stop_reason'])
    const usage = [
      ...this.#account(event['usage'], true),
      ...this.#leftOut.members(delta, messageMembers, 'message'),
      ...this.#leftOut.members(event, deltaMembers, 'message'),
    ]
    if (rawReason === '') return usage
    const reason = readStopReason(rawReason, this.#calls > 0)
    const stopSequence = textOrNull(delta['stop_sequence'])
    return [...this.#endBlocks(), { type: 'choice-end', choice: 0, reason, rawReason, stopSequence }, ...usage]
  }

  #fail(event: JsonObject): AnswerEvent[] {
    const error = errorIn(event) ?? reportedFailure(event, false)
    const type = textOf(event['type'])
    if (error === null)
      return type === '' || type === 'ping' ? [] : this.#leftOut.name(`the event ${type.slice(0, 64)}`)
    this.#isOver = true
    return [{ type: 'failure', error }]
  }
}

/** What is read of a message, or describes the response rather than the answer. */
const messageMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'usage',
  'diagnostics',
])
const deltaMembers: ReadonlySet<string> = new Set(['type', 'delta', 'usage'])

const knownDeltas: ReadonlySet<string> = new Set([
  'text_delta',
  'thinking_delta',
  'input_json_delta',
  'signature_delta',
  'citations_delta',
])

const unannounced: Readonly<Record<string, 'text' | 'thinking'>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  citations_delta: 'text',
}

/** What is read of a block of a known kind, and how it was called. */
const membersOf: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['text', new Set(['type', 'text', 'citations'])],
  ['thinking', new Set(['type', 'thinking', 'signature'])],
  ['redacted_thinking', new Set(['type', 'data'])],
  ['tool_use', new Set(['type', 'id', 'name', 'input', 'caller', 'toolset_name'])],
])

function kindOf(block: JsonObject, number: number, dialect: string): BlockKind {
  switch (block['type']) {
    case 'text':
    case 'thinking':
      return { kind: block['type'] }
    case 'redacted_thinking':
      return { kind: 'redacted-thinking' }
    case 'tool_use':
      return { kind: 'tool-call', id: textOf(block['id']) || `toolu_${number}`, name: textOf(block['name']) }
    default:
      return { kind: 'own', dialect, value: block }
  }
}

/** What a block's start says already: nothing in most streams, all in a whole message. */
function startDeltas(block: JsonObject, { kind }: BlockKind): Delta[] {
  if (kind === 'own' || kind === 'tool-call') return []
  const text = textOf(block['text']) || textOf(block['thinking'])
  const signature = textOf(block['signature']) || textOf(block['data'])
  return [
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...objectsOf(block['citations']).map(
      (citation) => ({ kind: 'citation', citation: readCitation(citation) }) as const,
    ),
    ...(signature === '' ? [] : [{ kind: 'signature', signature } as const]),
  ]
}

function readDelta(delta: JsonObject): Delta | null {
  switch (delta['type']) {
    case 'citations_delta':
      return { kind: 'citation', citation: readCitation(objectOf(delta['citation'])) }
    case 'signature_delta':
      return delta['signature'] ? { kind: 'signature', signature: textOf(delta['signature']) } : null
    default: {
      const text = textOf(delta['text']) || textOf(delta['thinking']) || jsonTextOf(delta['partial_json'])
      return text === '' ? null : { kind: 'text', text }
    }
  }
}
