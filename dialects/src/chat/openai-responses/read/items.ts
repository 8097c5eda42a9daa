import type { JsonObject } from '../../../core/json'
import { jsonTextOf, numberOrNull, objectOf, objectsOf, textOf, textOrNull } from '../../../core/neutral/read'
import { readLogProbabilities } from '../../openai-chat/log-probabilities'
import { isCall } from '../response'
import { dialectId } from '../name'
import type { BlockEvents } from './block-events'
import { readAnnotation } from '../citations'
import { readSearch } from '../searches'

/** What is read of a part of a message. */
const contentMembers: ReadonlySet<string> = new Set(['type', 'text', 'refusal', 'annotations', 'logprobs'])
const thoughtParts: ReadonlySet<string> = new Set(['', 'text', 'reasoning_text', 'summary_text'])

/** What of an item is read, or says how the vendor keeps it. */
const itemMembers: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['message', new Set(['type', 'id', 'status', 'role', 'content', 'phase'])],
  ['reasoning', new Set(['type', 'id', 'status', 'content', 'summary', 'encrypted_content'])],
  ['function_call', new Set(['type', 'id', 'status', 'call_id', 'name', 'arguments', 'namespace', 'caller'])],
  ['custom_tool_call', new Set(['type', 'id', 'status', 'call_id', 'name', 'input', 'namespace', 'caller'])],
])

/** A part of a message's content that was begun. */
interface ContentPart {
  annotations: number
  hasText: boolean
  hasTokens: boolean
}

/**
 * Reads the events of one item of the output. What its end says and no event before said is told then, so that followers
 * that leave events out, and whole answers, tell the same. https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ItemReader {
  readonly #parts = new Map<string, ContentPart>()
  /** The part whose block is open. */
  #open = ''
  #call: 'waiting' | 'begun' | 'said' = 'waiting'
  #thoughts: 'none' | 'raw' | 'summary' = 'none'
  /** The section that said something last, and all that did. */
  #section: number | null = null
  readonly #sections = new Set<number>()
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
        if (text !== '') this.#appendText('text', event, text)
        return this.#tokens(event)
      case 'response.refusal.delta':
        return text === '' ? undefined : this.#appendText('refusal', event, text)
      case 'response.output_text.done':
      case 'response.refusal.done':
        this.#endText(type === 'response.refusal.done' ? 'refusal' : 'text', event)
        return
      case 'response.output_text.annotation.added':
        return this.#cite(this.#part('text', event), [objectOf(event['annotation'])])
      case 'response.content_part.done':
        return this.#finishPart(objectOf(event['part']), event)
      case 'response.reasoning_text.delta':
        return this.#think('raw', event['content_index'], text)
      case 'response.reasoning_text.done':
        return this.#endSection('raw', event['content_index'], event)
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_text.delta':
        return this.#think('summary', event['summary_index'], text)
      case 'response.reasoning_summary_text.done':
        return this.#endSection('summary', event['summary_index'], event)
      case 'response.reasoning_summary_part.done':
        return this.#endSection('summary', event['summary_index'], objectOf(event['part']))
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#argue(jsonTextOf(event['delta']))
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done':
        return this.#endArguments(event)
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

  /** What the end of a call or of its arguments repeats. */
  #endArguments(reported: JsonObject): void {
    if (this.#call === 'begun') this.#argue(jsonTextOf(reported['arguments']) || jsonTextOf(reported['input']))
  }

  /** The part of the content that an event belongs to, with its block open. */
  #part(kind: 'text' | 'refusal', { content_index }: JsonObject): ContentPart {
    const key = `${kind} ${numberOrNull(content_index) ?? 0}`
    const contentPart = this.#parts.get(key) ?? { annotations: 0, hasText: false, hasTokens: false }
    this.#parts.set(key, contentPart)
    if (this.#open !== key) this.blocks.open({ kind })
    this.#open = key
    return contentPart
  }

  #appendText(kind: 'text' | 'refusal', event: JsonObject, text: string): void {
    this.#part(kind, event).hasText = true
    this.blocks.append(text)
  }

  #cite(part: ContentPart, annotations: readonly JsonObject[]): void {
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
    if (part['type'] === 'reasoning_text') return this.#endSection('raw', event['content_index'], part)
    const kind = part['type'] === 'refusal' ? 'refusal' : part['type'] === 'output_text' ? 'text' : null
    if (kind === null) return this.blocks.leaveOut(part)
    this.blocks.leaveOutMembers(part, contentMembers)
    const contentPart = this.#endText(kind, { ...part, content_index: event['content_index'] })
    if (!contentPart) return
    this.#cite(contentPart, objectsOf(part['annotations']).slice(contentPart.annotations))
    this.#close()
  }

  /** Says of a part what no event before said. Returns the part, unless it is over or has nothing. */
  #endText(kind: 'text' | 'refusal', reported: JsonObject): ContentPart | undefined {
    const text = textOf(reported[kind])
    const key = `${kind} ${numberOrNull(reported['content_index']) ?? 0}`
    const isOver = this.#parts.has(key) && this.#open !== key
    if (isOver || (text === '' && objectsOf(reported['annotations']).length === 0)) return undefined
    const contentPart = this.#part(kind, reported)
    if (!contentPart.hasText) this.#appendText(kind, reported, text)
    if (!contentPart.hasTokens) this.#tokens(reported)
    return contentPart
  }

  /** Thoughts come as they were thought or as a summary; of both, those that come first. A summary has sections. */
  #think(as: 'raw' | 'summary', index: unknown, text: string): void {
    if (this.#thoughts !== 'none' && this.#thoughts !== as) return
    if (this.#thoughts === 'none') {
      const id = this.#id
      this.blocks.open({ kind: 'thinking', ...(as === 'summary' && { isSummary: true }), ...(id !== '' && { id }) })
    }
    this.#thoughts = as
    if (text === '') return
    const section = numberOrNull(index) ?? 0
    if (this.#section !== null && this.#section !== section) this.blocks.append('\n\n')
    this.#section = section
    this.#sections.add(section)
    this.blocks.append(text)
  }

  /** The end of a section says it once more. */
  #endSection(as: 'raw' | 'summary', index: unknown, reported: JsonObject): void {
    const text = textOf(reported['text'])
    if (text !== '' && !this.#sections.has(numberOrNull(index) ?? 0)) this.#think(as, index, text)
  }

  #finish(item: JsonObject): void {
    const known = itemMembers.get(item['type'])
    if (known) this.blocks.leaveOutMembers(item, known)
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
        this.#endArguments(item)
        break
      case 'image_generation_call':
        this.#image(item)
        break
      default: {
        const search = readSearch(item)
        if (this.#parts.size === 0 && textOf(item['type']) !== '')
          this.blocks.open(search ? { kind: 'search', ...search } : { kind: 'own', dialect: dialectId, value: item })
      }
    }
    this.#close()
  }

  #finishThoughts(item: JsonObject): void {
    const signature = textOf(item['encrypted_content'])
    this.#id ||= textOf(item['id'])
    const raw = objectsOf(item['content'])
    const as = this.#thoughts === 'none' ? (raw.length > 0 ? 'raw' : 'summary') : this.#thoughts
    const sections = as === 'raw' ? raw : objectsOf(item['summary'])
    if (sections.length > 0) this.#think(as, 0, '')
    sections.forEach((section, index) => {
      if (!thoughtParts.has(textOf(section['type']))) this.blocks.leaveOut(section)
      this.#endSection(as, index, section)
    })
    if (this.#thoughts === 'none' && signature !== '') this.blocks.open({ kind: 'redacted-thinking' })
    this.blocks.sign(signature)
  }

  #image(item: JsonObject): void {
    const data = textOf(item['result'])
    if (data === '') return this.blocks.leaveOut(item)
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
