import { endOfString } from '../depth'
import type { ErrorView, StreamTap, UsageOptions } from '../dialect'
import type { JsonObject } from '../json'
import { objectOf as membersOf, textOf } from '../neutral/read'
import { objectOf } from '../openai/chunk-data'
import { hasVisible, valueStart } from '../openai/delta'
import { concat, latin1, SseFrames } from '../sse-frames'
import { TextBuffer } from '../text-buffer'
import type { Usage } from '../usage'
import { isCall } from './answer'
import { errorIn, errorOfEvent } from './errors'
import { usageIn } from './usage'

const nothing = new Uint8Array(0)
const eventName = /(?:^|[\r\n])event: ?([^\r\n]*)/
const leadingType = /data: ?\{\s*"type"\s*:\s*"([^"\\]*)"/

/** They tell that the request was taken, and nothing else. */
const announcing: ReadonlySet<string> = new Set(['response.created', 'response.queued', 'response.in_progress'])
const ending: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/**
 * Watches a stream of a response and forwards it as it came. Only its end and the begins of its items are parsed.
 * The end is one event that repeats everything, with the usage: it is the end mark. Nothing is added or dropped: streams
 * of this dialect always tell their usage, and the changes are those of OpenAI's chunks.
 */
export class ResponsesTap implements StreamTap {
  events = 0
  contentEvents = 0
  toolCalls = 0
  isDone = false
  isFinished = false
  error: ErrorView | null = null
  usage: Usage | null = null

  readonly #options: UsageOptions
  readonly #frames = new SseFrames()
  readonly #text = new TextBuffer()
  readonly #ran = { webSearch: 0, fileSearch: 0 }
  #isVisible = false
  #held: Uint8Array[] = []

  constructor(options: UsageOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.#isVisible
  }

  completionText(): string {
    return this.#text.text()
  }

  push(chunk: Uint8Array): Uint8Array {
    const read = this.#frames.push(chunk)
    if (read === null) return nothing
    if (this.isDone) {
      this.#held.push(read.bytes)
      return nothing
    }
    let start = read.start
    for (const end of read.ends) {
      this.#look(read.text.slice(start, end))
      if (this.isDone) {
        this.#held.push(read.bytes.subarray(start))
        return read.bytes.subarray(0, start)
      }
      start = end
    }
    return read.bytes
  }

  end(): void {
    const rest = this.#frames.rest()
    if (rest.length === 0) return
    this.#look(latin1(rest))
    this.#held.push(rest)
  }

  finish(): Uint8Array {
    return concat([...this.#held, this.#frames.rest()])
  }

  #look(event: string): void {
    if (this.isDone) return
    const name = nameOf(event)
    if (name === '') return
    if (ending.has(name)) this.#finish(membersOf(membersOf(objectOf(event))['response']), name)
    else if (name === '[DONE]') this.isDone = true
    // What fails before anything was generated can still go elsewhere.
    else if (!announcing.has(name)) this.events += 1
    if (name.endsWith('.delta')) this.#delta(event)
    else if (name === 'response.output_item.added') this.#begin(membersOf(membersOf(objectOf(event))['item']))
    else if (name === 'response.output_item.done') this.#count(event)
    else if (name === 'response.image_generation_call.completed') this.#isVisible = true
    else if (name === 'error') this.error ??= errorOfEvent(membersOf(objectOf(event)))
  }

  #delta(event: string): void {
    for (let at = event.indexOf('"delta"'); at >= 0; at = event.indexOf('"delta"', at + 7)) {
      const value = valueStart(event, at + 7)
      if (value < 0) continue
      if (event[value] === '"') this.#say(event, value + 1, endOfString(event, value))
      return
    }
  }

  #say(event: string, start: number, end: number): void {
    if (end <= start) return
    this.contentEvents += 1
    this.#text.append(event, start, end)
    this.#isVisible ||= hasVisible(event, start, end)
  }

  #begin(item: JsonObject): void {
    if (!isCall(item)) return
    this.toolCalls += 1
    const name = Buffer.from(JSON.stringify(textOf(item['name'])).slice(1, -1), 'utf8').toString('latin1')
    this.#say(name, 0, name.length)
  }

  /** The vendor's own tools that ran. Items that hold much text need not be parsed for that. */
  #count(event: string): void {
    if (!event.includes('_search_call"')) return
    const { type } = membersOf(membersOf(objectOf(event))['item'])
    if (type === 'web_search_call') this.#ran.webSearch += 1
    else if (type === 'file_search_call') this.#ran.fileSearch += 1
  }

  #finish(response: JsonObject, name: string): void {
    this.isDone = true
    this.isFinished = name === 'response.completed' || name === 'response.incomplete'
    if (!this.isFinished) this.error ??= errorIn({ ...response, status: 'failed' })
    const usage = usageIn(response, this.#options)
    if (usage === null) return
    const webSearch = Math.max(this.#ran.webSearch, usage.toolCalls.webSearch ?? 0)
    const fileSearch = Math.max(this.#ran.fileSearch, usage.toolCalls.fileSearch ?? 0)
    this.usage = {
      ...usage,
      toolCalls: { ...(webSearch > 0 && { webSearch }), ...(fileSearch > 0 && { fileSearch }) },
    }
  }
}

/** The event's own name, or the type its data gives; empty for a comment. */
function nameOf(event: string): string {
  const named = eventName.exec(event)?.[1] ?? leadingType.exec(event)?.[1]
  if (named !== undefined) return named
  if (!event.includes('data:')) return ''
  if (/data: ?\[DONE\]/.test(event)) return '[DONE]'
  return textOf(objectOf(event)?.['type'])
}
