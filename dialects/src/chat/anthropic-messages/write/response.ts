import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockDelta, BlockStart, ChoiceEnd } from '../../../core/neutral/events'
import { objectOf, nestedObject, textOf } from '../../../core/neutral/read'
import { deltaUsageBody, usageBody } from '../usage'
import { searchTool } from '../../../core/neutral/call'
import { noUsage, type Usage } from '../../../core/usage'
import { anthropicError } from '../errors'
import { openBlock, RedactedWriter, TextWriter, type WrittenBlock } from './block-events'
import { SearchBlocks } from './search-blocks'
import { writeStopReason } from '../stop-reasons'
import { calledNames } from '../toolsets'

/** A stream of a message. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new MessageEventWriter(answering)
  return { write: (events) => writer.take(events) }
}

export const eventText = (event: JsonObject): string =>
  `event: ${textOf(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

/** A whole message: what its stream adds up to. After a failure, the error. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new MessageEventWriter(answering)
  const message = new WholeMessage()
  for (const event of writer.take(events)) message.take(event)
  return message.value['type'] === 'message' ? { ...message.value, usage: usageBody(writer.usage) } : message.value
}

class WholeMessage {
  value: JsonObject = {}
  readonly #blocks: JsonObject[] = []
  #json = ''

  take(event: JsonObject): void {
    switch (event['type']) {
      case 'message_start':
        this.value = { ...objectOf(event['message']), content: this.#blocks }
        return
      case 'content_block_start':
        this.#json = ''
        this.#blocks.push({ ...objectOf(event['content_block']) })
        return
      case 'content_block_delta':
        return this.#delta(objectOf(event['delta']))
      case 'content_block_stop':
        return this.#stop()
      case 'message_delta':
        this.value = { ...this.value, ...objectOf(event['delta']) }
        return
      case 'error':
        this.value = event
    }
  }

  #delta(delta: JsonObject): void {
    const block = this.#blocks.at(-1)
    if (block === undefined) return
    switch (delta['type']) {
      case 'text_delta':
        block['text'] = textOf(block['text']) + textOf(delta['text'])
        return
      case 'thinking_delta':
        block['thinking'] = textOf(block['thinking']) + textOf(delta['thinking'])
        return
      case 'signature_delta':
        block['signature'] = delta['signature']
        return
      case 'citations_delta': {
        const before: unknown = block['citations']
        if (Array.isArray(before)) before.push(delta['citation'])
        else block['citations'] = [delta['citation']]
        return
      }
      case 'input_json_delta':
        this.#json += textOf(delta['partial_json'])
    }
  }

  /** Arguments that are broken stay readable, in the one place that an object leaves for them. */
  #stop(): void {
    const block = this.#blocks.at(-1)
    if (block === undefined || this.#json === '') return
    block['input'] = nestedObject(this.#json) ?? { input: this.#json }
    this.#json = ''
  }
}

const mayPrecedeStart: ReadonlySet<AnswerEvent['type']> = new Set(['answer-start', 'usage', 'failure', 'left-out'])

/**
 * Makes the events of a message's stream, as objects, from those of an answer: one message, its blocks numbered without
 * gaps, one open at a time. https://platform.claude.com/docs/en/build-with-claude/streaming
 * Blocks that the dialect has no word for are left out, and so are all choices but the first.
 */
class MessageEventWriter {
  readonly #answering: Answering
  readonly #searches: SearchBlocks | null
  readonly #nameOf: ReturnType<typeof calledNames>
  #id: string | null = null
  #usage: Usage = noUsage
  #state: 'waiting' | 'started' | 'over' = 'waiting'
  #block: WrittenBlock | null = null
  #ended: ChoiceEnd | null = null
  #hasToolCalls = false
  #index = 0
  /** The latest block that was told has words. */
  #hasSpoken = false
  /**
   * A cipher behind words waits for what follows it: programs show the last block of a message, and no message of the vendor ends with a cipher.
   */
  #cipher: WrittenBlock | null = null

  constructor(answering: Answering) {
    this.#answering = answering
    this.#nameOf = calledNames(answering.call.tools)
    this.#searches = searchTool(answering.call.tools) ? new SearchBlocks(answering.newId) : null
  }

  /** The latest, which only a whole message tells in full. */
  get usage(): Usage {
    return this.#usage
  }

  take(events: readonly AnswerEvent[]): JsonObject[] {
    const out: JsonObject[] = []
    for (const event of events) {
      if (this.#state === 'over') break
      // The start waits for a usage that comes right behind it.
      if (this.#state === 'waiting' && !mayPrecedeStart.has(event.type)) out.push(...this.#begin())
      for (const written of this.#event(event)) out.push(written)
    }
    if (this.#id !== null) out.push(...this.#begin())
    return out
  }

  #event(event: AnswerEvent): readonly JsonObject[] {
    switch (event.type) {
      case 'answer-start':
        if (event.isConversation) this.#id = `msg_${event.id}`
        else this.#id = event.id.startsWith('msg_') ? event.id : this.#answering.newId('msg_')
        return []
      case 'usage':
        this.#usage = event.usage
        return []
      case 'block-start':
        return event.choice === 0 ? this.#startBlock(event) : []
      case 'block-delta':
        return event.choice === 0 ? this.#deltas(event) : []
      case 'block-end':
        return event.choice === 0 ? this.#endBlock() : []
      case 'choice-end':
        if (event.choice === 0) this.#ended = event
        return []
      case 'failure':
        this.#state = 'over'
        return [anthropicError(event.error)]
      case 'answer-end':
        return this.#end()
      default:
        return []
    }
  }

  #begin(): JsonObject[] {
    if (this.#state !== 'waiting') return []
    this.#state = 'started'
    const message = {
      id: this.#id ?? this.#answering.newId('msg_'),
      type: 'message',
      role: 'assistant',
      model: this.#answering.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageBody(this.#usage),
    }
    return [{ type: 'message_start', message }]
  }

  #startBlock({ of }: BlockStart): JsonObject[] {
    const ended = [...this.#endBlock(), ...this.#writeCipher()]
    this.#block = openBlock(of, this.#answering.newId, this.#nameOf)
    if (of.kind === 'tool-call') this.#hasToolCalls = true
    if (of.kind === 'search') return [...ended, ...this.#whole(this.#searches?.take(of) ?? [])]
    return [...ended, ...this.#setIndex(this.#block?.start() ?? [])]
  }

  #whole(blocks: readonly JsonObject[][]): JsonObject[] {
    return blocks.flatMap((events) => {
      this.#setIndex(events)
      this.#index += 1
      this.#hasSpoken = false
      return events
    })
  }

  #deltas({ delta }: BlockDelta): readonly JsonObject[] {
    if (delta.kind === 'citation') this.#searches?.cite(delta.citation)
    return this.#setIndex(this.#block?.take(delta) ?? [])
  }

  #endBlock(): readonly JsonObject[] {
    const block = this.#block
    this.#block = null
    if (block === null) return []
    if (block instanceof RedactedWriter && this.#hasSpoken) {
      this.#cipher = block
      return []
    }
    return this.#close(block)
  }

  #writeCipher(): readonly JsonObject[] {
    const cipher = this.#cipher
    this.#cipher = null
    return cipher === null ? [] : this.#close(cipher)
  }

  #close(block: WrittenBlock): readonly JsonObject[] {
    const events = this.#setIndex(block.end())
    if (block.isShown) this.#index += 1
    if (block.isShown) this.#hasSpoken = block instanceof TextWriter
    return events
  }

  #setIndex(events: readonly JsonObject[]): readonly JsonObject[] {
    for (const event of events) event['index'] = this.#index
    return events
  }

  #end(): JsonObject[] {
    this.#state = 'over'
    const reason = this.#ended
    const delta = {
      stop_reason: reason && writeStopReason(reason.reason, this.#hasToolCalls),
      stop_sequence: reason?.stopSequence ?? null,
    }
    const usage = deltaUsageBody(this.#usage)
    const ended = [...this.#endBlock(), ...this.#whole(this.#searches?.rest() ?? [])]
    return [...ended, { type: 'message_delta', delta, usage }, { type: 'message_stop' }]
  }
}
