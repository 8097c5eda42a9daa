import { endOfString } from '../../core/json-text'
import type { CreatedObject } from '../../core/views'
import type { JsonObject } from '../../core/json'
import type { StreamCut } from '../../core/streaming/observer'
import { TextObserver } from '../../core/streaming/text-observer'
import { jsonTextOf, objectOf as membersOf, objectsOf, textOf } from '../../core/neutral/read'
import { objectOf } from '../../core/shared/chunk-data'
import { valueStart } from '../../core/shared/delta'
import { imageToolOf } from '../../core/shared/drawn-units'
import { hasObjectArguments, withItemTexts } from '../../core/shared/argument-texts'
import { believedUsage } from '../../core/shared/reported-usage'
import type { ReportedUsage } from '../../core/usage'
import { reportedFailure } from '../../core/shared/reported-failure'
import { errorIn as openAiErrorIn } from '../../core/shared/errors'
import { createdObjectsIn, isCall, textsOfItem } from './response'
import { errorIn, errorOfEvent, textOfEvent } from './errors'
import { UnfinishedResponse } from './unfinished-response'
import { RanTools, usageIn } from './usage'

const encoder = new TextEncoder()
const eventName = /(?:^|[\r\n])event: ?([^\r\n]*)/
const leadingType = /data: ?\{\s*"type"\s*:\s*"([^"\\]*)"/

const ending: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/** The ends of texts and of arguments, which repeat the pieces of them. */
const wholeTexts: ReadonlySet<string> = new Set([
  'response.output_text.done',
  'response.refusal.done',
  'response.reasoning_text.done',
  'response.reasoning_summary_text.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
])
const textsOfEnd = (reported: JsonObject): string[] =>
  ['text', 'refusal', 'arguments', 'input'].map((name) => jsonTextOf(reported[name]))

/**
 * Learns from a stream of a response. Only its end and the begins of its items are parsed.
 * The end is one event that repeats everything, with the usage: it is the end mark. Nothing is added or dropped: streams
 * of this dialect always tell their usage, and the changes are those of OpenAI's chunks.
 */
export class ResponsesObserver extends TextObserver {
  #usage: ReportedUsage | null = null
  /** How many events had said something when the usage came. */
  #usageAt = 0
  readonly #ran = new RanTools()
  readonly #parts: UnfinishedResponse
  rewrite: ((event: string) => readonly Uint8Array[] | null) | undefined
  /** At its end the stream repeats it whole. */
  #response: JsonObject | null = null
  #isCut = false
  /** Which events say first what those behind them repeat: followers leave some of them out. */
  #textSource: '' | 'pieces' | 'texts' | 'items' = ''
  #endedCalls = 0

  /** `keepsAnswer`: the whole answer will be asked for. */
  constructor(keepsAnswer = false) {
    super()
    this.#parts = new UnfinishedResponse(keepsAnswer)
  }

  get usage(): ReportedUsage | null {
    return believedUsage(this.#usage, {
      hasOutput: this.contentEvents > 0,
      isCovered: this.#usageAt === this.contentEvents,
      toolCalls: this.#ran.calls,
    })
  }

  /** A stream that was cut off has told the id of the response. */
  createdObjects(): readonly CreatedObject[] {
    return createdObjectsIn(this.#response ?? this.#parts.initialResponse())
  }

  /** Followers leave out of the end what they said before. */
  wholeAnswer(): JsonObject | null {
    const response = this.isFinished || this.#isCut ? this.#response : null
    if (response === null) return null
    const isRepeated = objectsOf(response['output']).length > 0
    const output = isRepeated ? response['output'] : this.#parts.endedItems()
    return output === null ? null : withItemTexts({ ...response, output })
  }

  protected readEvent(event: string): void {
    const name = nameOf(event)
    if (name === '') return this.#fail(membersOf(objectOf(event)))
    if (name === 'response.created') this.#parts.began(event)
    const isWhole = name.endsWith('.done') || ending.has(name)
    this.rewrite = isWhole && hasObjectArguments(event) ? withTexts : undefined
    if (ending.has(name)) this.#finish(membersOf(membersOf(objectOf(event))['response']), name)
    else if (name === '[DONE]') this.isDone = true
    else this.events += 1
    if (name.endsWith('.delta')) this.#delta(event)
    else if (name === 'response.output_item.added') this.#begin(membersOf(objectOf(event)))
    else if (name === 'response.content_part.added') this.#parts.partBegan(event)
    else if (name === 'response.output_item.done') this.#endItem(event)
    else if (name === 'response.image_generation_call.completed') this.#drew()
    else if (this.#textSource !== 'pieces' && wholeTexts.has(name))
      this.#countTexts('texts', textsOfEnd(membersOf(objectOf(event))))
    else if (name === 'error') this.error ??= errorOfEvent(membersOf(objectOf(event)))
  }

  #drew(): void {
    this.isVisible = true
    this.drawn += 1
    this.#ran.drew(imageToolOf(this.#parts.initialResponse()))
  }

  #delta(event: string): void {
    for (let at = event.indexOf('"delta"'); at >= 0; at = event.indexOf('"delta"', at + 7)) {
      const value = valueStart(event, at + 7)
      if (value < 0) continue
      if (event[value] === '"') {
        this.countPiece(event, value + 1, endOfString(event, value))
        this.#textSource = 'pieces'
      }
      return
    }
  }

  #countTexts(by: 'texts' | 'items', texts: readonly string[]): void {
    this.#textSource ||= texts.some((text) => text !== '') ? by : ''
    if (this.#textSource === by) for (const text of texts) this.countText(text)
  }

  /** Reads whole items, where no piece said anything. The begin of a call has told its name. */
  #countItems(items: readonly JsonObject[]): void {
    for (const item of items) {
      const isKnown = isCall(item) && this.#endedCalls < this.toolCalls
      this.#countTexts('items', textsOfItem(isKnown ? { ...item, name: '' } : item))
      if (isCall(item)) this.#endedCalls += 1
    }
    this.toolCalls = Math.max(this.toolCalls, this.#endedCalls)
  }

  ending({ usage, events }: StreamCut): Uint8Array {
    const { response, items } = this.#parts.endingOf(this.textFrom(this.#parts.textFrom), usage)
    this.#response = response
    this.#isCut = true
    const written = [...items, { type: 'response.incomplete', response }]
    return encoder.encode(
      written.map((event, index) => textOfEvent({ ...event, sequence_number: events + index })).join(''),
    )
  }

  #begin(event: JsonObject): void {
    const item = membersOf(event['item'])
    if (isCall(item)) {
      this.toolCalls += 1
      this.countText(textOf(item['name']))
    }
    this.#parts.itemBegan(event, this.textBytes)
  }

  #endItem(event: string): void {
    this.#parts.itemEnded(event)
    if (this.#textSource !== 'pieces') this.#countItems([membersOf(membersOf(objectOf(event))['item'])])
    this.#count(event)
  }

  /** The vendor's own tools that ran. Items that hold much text need not be parsed for that. */
  #count(event: string): void {
    if (event.includes('_search_call"') || event.includes('"code_interpreter_call"'))
      this.#ran.add(membersOf(membersOf(objectOf(event))['item']))
  }

  /** An object that is not an event. */
  #fail(reported: JsonObject): void {
    this.error ??= openAiErrorIn(reported) ?? reportedFailure(reported, false)
  }

  #finish(response: JsonObject, name: string): void {
    this.isDone = true
    this.#response = response
    if (Array.isArray(response['output'])) this.#ran.drewAll(response)
    if (this.#textSource === '') this.#countItems(objectsOf(response['output']))
    this.isFinished = name === 'response.completed' || name === 'response.incomplete'
    if (!this.isFinished) this.error ??= errorIn({ ...response, status: 'failed' })
    this.#account(response)
  }

  #account(response: JsonObject): void {
    this.#usage = usageIn(response) ?? this.#usage
    this.#usageAt = this.contentEvents
  }
}

function withTexts(event: string): Uint8Array[] | null {
  const reported = objectOf(event)
  return reported && [encoder.encode(textOfEvent(withItemTexts(reported)))]
}

/** The event's own name, or the type its data gives; empty for a comment. */
function nameOf(event: string): string {
  const named = eventName.exec(event)?.[1] ?? leadingType.exec(event)?.[1]
  if (named !== undefined) return named
  if (!event.includes('data:')) return ''
  if (/data: ?\[DONE\]/.test(event)) return '[DONE]'
  return textOf(objectOf(event)?.['type'])
}
