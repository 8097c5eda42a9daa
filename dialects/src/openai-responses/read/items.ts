import type { JsonObject } from '../../json'
import { jsonTextOf, numberOrNull, objectOf, objectsOf, textOf, textOrNull } from '../../neutral/read'
import { readLogProbabilities } from '../../openai-chat/log-probabilities'
import { isCall } from '../response'
import { dialectId } from '../name'
import type { BlockEvents } from './block-events'
import { readAnnotation } from '../citations'

/** A part of a message's content that was begun. */
interface Begun {
  annotations: number
  hasText: boolean
  hasTokens: boolean
}

/**
 * Reads the events of one item of the output. What its end says and no event before said is told then, so that followers
 * that leave events out, and whole answers, tell the same. https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ItemReader {
  readonly #parts = new Map<string, Begun>()
  /** The part whose block is open. */
  #open = ''
  #call: 'waiting' | 'begun' | 'said' = 'waiting'
  #thoughts: 'none' | 'raw' | 'summary' = 'none'
  #section: number | null = null
  #id = ''

  constructor(private readonly blocks: BlockEvents) {}

  take(event: JsonObject): void {
    const { type } = event
    const text = textOf(event['delta'])
    this.#id ||= textOf(event['item_id'])
    switch (type) {
      case 'response.output_item.added':
        return this.#start(objectOf(event['item']))
      case 'response.output_item.done':
        return this.#finish(objectOf(event['item']))
      case 'response.output_text.delta':
        if (text !== '') this.#say('text', event, text)
        return this.#tokens(event)
      case 'response.refusal.delta':
        return text === '' ? undefined : this.#say('refusal', event, text)
      case 'response.output_text.annotation.added':
        return this.#cite(this.#part('text', event), [objectOf(event['annotation'])])
      case 'response.content_part.done':
        return this.#finishPart(objectOf(event['part']), event)
      case 'response.reasoning_text.delta':
        return this.#think('raw', event['content_index'], text)
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_text.delta':
        return this.#think('summary', event['summary_index'], text)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#argue(jsonTextOf(event['delta']))
    }
  }

  #start(item: JsonObject): void {
    this.#id = textOf(item['id'])
    if (isCall(item)) this.#beginCall(item)
  }

  #beginCall(item: JsonObject): void {
    this.#call = 'begun'
    const itemId = textOrNull(item['id'])
    this.blocks.open({
      kind: 'tool-call',
      id: textOf(item['call_id']) || itemId || `call_${this.blocks.calls}`,
      name: textOf(item['name']),
      ...(itemId !== null && { itemId }),
      ...(item['type'] === 'custom_tool_call' && { isCustom: true }),
    })
  }

  /** Whose name is not known yet waits for its end. */
  #argue(text: string): void {
    if (text === '' || this.#call === 'waiting') return
    this.#call = 'said'
    this.blocks.append(text)
  }

  /** The part of the content that an event belongs to, with its block open. */
  #part(kind: 'text' | 'refusal', { content_index }: JsonObject): Begun {
    const key = `${kind} ${numberOrNull(content_index) ?? 0}`
    const begun = this.#parts.get(key) ?? { annotations: 0, hasText: false, hasTokens: false }
    this.#parts.set(key, begun)
    if (this.#open !== key) this.blocks.open({ kind })
    this.#open = key
    return begun
  }

  #say(kind: 'text' | 'refusal', event: JsonObject, text: string): void {
    this.#part(kind, event).hasText = true
    this.blocks.append(text)
  }

  #cite(part: Begun, annotations: readonly JsonObject[]): void {
    part.annotations += annotations.length
    for (const annotation of annotations) this.blocks.emit({ kind: 'citation', citation: readAnnotation(annotation) })
  }

  #tokens(event: JsonObject): void {
    const tokens = readLogProbabilities({ content: event['logprobs'] })
    if (tokens.length === 0) return
    this.#part('text', event).hasTokens = true
    this.blocks.add({ type: 'log-probabilities', choice: 0, tokens })
  }

  #finishPart(part: JsonObject, event: JsonObject): void {
    const kind = part['type'] === 'refusal' ? 'refusal' : part['type'] === 'output_text' ? 'text' : null
    const text = textOf(part[kind === 'refusal' ? 'refusal' : 'text'])
    const annotations = objectsOf(part['annotations'])
    const key = `${kind} ${numberOrNull(event['content_index']) ?? 0}`
    const isOver = this.#parts.has(key) && this.#open !== key
    if (kind === null || isOver || (text === '' && annotations.length === 0)) return
    const begun = this.#part(kind, event)
    if (!begun.hasText) this.blocks.append(text)
    if (!begun.hasTokens) this.#tokens({ ...event, logprobs: part['logprobs'] })
    this.#cite(begun, annotations.slice(begun.annotations))
    this.#close()
  }

  /** Thoughts come as they were thought or as a summary; of both, those that come first. A summary has sections. */
  #think(as: 'raw' | 'summary', place: unknown, text: string): void {
    if (this.#thoughts !== 'none' && this.#thoughts !== as) return
    if (this.#thoughts === 'none') {
      const id = this.#id
      this.blocks.open({ kind: 'thinking', ...(as === 'summary' && { isSummary: true }), ...(id !== '' && { id }) })
    }
    const section = numberOrNull(place) ?? 0
    if (this.#section !== null && this.#section !== section) this.blocks.append('\n\n')
    this.#thoughts = as
    this.#section = section
    this.blocks.append(text)
  }

  #finish(item: JsonObject): void {
    switch (item['type']) {
      case 'message':
        objectsOf(item['content']).forEach((part, content_index) => {
          this.#finishPart(part, { content_index })
        })
        break
      case 'reasoning':
        this.#finishThoughts(item)
        break
      case 'function_call':
      case 'custom_tool_call':
        if (this.#call === 'waiting') this.#beginCall(item)
        if (this.#call !== 'said') this.blocks.append(jsonTextOf(item['arguments']) || jsonTextOf(item['input']))
        break
      case 'image_generation_call':
        this.#picture(item)
        break
      default:
        if (this.#parts.size === 0 && textOf(item['type']) !== '')
          this.blocks.open({ kind: 'own', dialect: dialectId, value: item })
    }
    this.#close()
  }

  #finishThoughts(item: JsonObject): void {
    const signature = textOf(item['encrypted_content'])
    this.#id ||= textOf(item['id'])
    if (this.#thoughts === 'none') {
      const raw = objectsOf(item['content'])
      const as = raw.length > 0 ? 'raw' : 'summary'
      const sections = as === 'raw' ? raw : objectsOf(item['summary'])
      sections.forEach((section, place) => {
        this.#think(as, place, textOf(section['text']))
      })
      if (sections.length === 0 && signature !== '') this.blocks.open({ kind: 'redacted-thinking' })
    }
    this.blocks.sign(signature)
  }

  #picture(item: JsonObject): void {
    const data = textOf(item['result'])
    if (data === '') return
    const id = textOrNull(item['id'])
    this.blocks.open({ kind: 'media' })
    this.blocks.emit({
      kind: 'media',
      mime: `image/${textOf(item['output_format']) || 'png'}`,
      data,
      ...(id !== null && { id }),
    })
  }

  #close(): void {
    this.#open = ''
    this.blocks.close()
  }
}
