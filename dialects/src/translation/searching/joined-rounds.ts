import type { Message, Part } from '../../core/neutral/call'
import type { AnswerEvent, BlockKind, Page } from '../../core/neutral/events'
import { nestedObject, textOf } from '../../core/neutral/read'
import { addedCounts } from '../../core/shared/joined-responses'
import { noUsage, type ReportedUsage } from '../../core/usage'

/** A search that the model asks for. */
export interface RequestedSearch {
  readonly id: string
  /** Empty where its arguments cannot be read. */
  readonly query: string
}

/** What a search found. */
export interface FoundPages {
  readonly pages: readonly Page[]
  /** What the model reads. */
  readonly text: string
  /** It found nothing because it failed, and is not charged. */
  readonly isError: boolean
}

/** A block of the present round. */
interface OpenBlock {
  readonly of: BlockKind
  /** Its number in the whole answer; null: the client does not see it. */
  readonly number: number | null
  text: string
  signature: string
}

/**
 * Makes one answer of the rounds in which a model searches and goes on: the searches become blocks of their own, and the ends of all rounds
 * but the last are left out. The client pays for and reads one answer, so its usage is the sum.
 */
export class JoinedRounds {
  readonly #searchName: string
  #isStarted = false
  #blocks = 0
  #open: OpenBlock | null = null
  /** What the model said in this round. */
  #parts: Part[] = []
  #searches: RequestedSearch[] = []
  #hasOtherCalls = false
  #end: Extract<AnswerEvent, { type: 'choice-end' }> | null = null
  /** What the rounds before used. */
  #before: ReportedUsage = noUsage
  #usage: ReportedUsage | null = null
  #searchCount = 0
  #hasFailed = false
  readonly #found = new Map<string, Page>()

  constructor(searchName: string) {
    this.#searchName = searchName
  }

  /** All tokens so far. */
  get usage(): ReportedUsage {
    const sum = this.#sum
    const webSearch = this.#searchCount + (sum.toolCalls.webSearch ?? 0)
    return webSearch === 0 ? sum : { ...sum, toolCalls: { ...sum.toolCalls, webSearch } }
  }

  get #sum(): ReportedUsage {
    return this.#usage ? addedCounts(this.#before, this.#usage) : { ...this.#before, unreported: 'all' }
  }

  /** Returns what the client sees of these events. */
  take(events: readonly AnswerEvent[]): AnswerEvent[] {
    return events.flatMap((event) => this.#take(event))
  }

  /** Called at the end of a round. Returns the searches that the model asks for; none where the answer is over. */
  takeSearches(): readonly RequestedSearch[] {
    // The client must answer its own calls first, and then the model may ask again.
    return this.#hasOtherCalls || this.#hasFailed ? [] : this.#searches
  }

  /** Called with what each search found, in order. Returns what the client sees of them, and what the model reads next. */
  continueWith(found: readonly FoundPages[]): {
    readonly events: AnswerEvent[]
    readonly messages: readonly Message[]
  } {
    const events = found.flatMap((one, index) => this.#show(one, this.#searches[index]))
    const results = found.map((one, index): Part => ({
      kind: 'tool-result',
      callId: this.#searches[index]?.id ?? '',
      name: this.#searchName,
      parts: [{ kind: 'text', text: one.text }],
      isError: one.isError,
    }))
    const messages: Message[] = [
      { role: 'assistant', parts: this.#parts },
      { role: 'user', parts: results },
    ]
    this.#before = this.#sum
    this.#usage = null
    this.#parts = []
    this.#searches = []
    this.#end = null
    // The next round has begun: what it uses is not known until it says so.
    return { events: [...events, { type: 'usage', usage: { ...this.usage, unreported: 'all' } }], messages }
  }

  /** Called when the last round is over. Returns the rest of the answer. */
  finish(): AnswerEvent[] {
    if (this.#hasFailed) return []
    const end = this.#end
    if (end === null) return []
    const hasOnlySearches = end.reason === 'tool-calls' && !this.#hasOtherCalls
    return [
      hasOnlySearches ? { ...end, reason: 'stop', rawReason: '' } : end,
      { type: 'usage', usage: this.usage },
      { type: 'answer-end' },
    ]
  }

  /** Called when the next round cannot be had. Returns the rest of the answer: it ends as one that a limit cut short. */
  cut(): AnswerEvent[] {
    const block = this.#open?.number
    return [
      ...(typeof block === 'number' ? [{ type: 'block-end', choice: 0, block } as const] : []),
      { type: 'choice-end', choice: 0, reason: 'length', rawReason: '', stopSequence: null },
      { type: 'usage', usage: this.usage },
      { type: 'answer-end' },
    ]
  }

  #show({ pages, isError }: FoundPages, search: RequestedSearch | undefined): AnswerEvent[] {
    for (const page of pages) this.#found.set(page.url, page)
    if (!isError) this.#searchCount += 1
    const block = this.#blocks++
    const queries = search && search.query !== '' ? [search.query] : []
    return [
      { type: 'block-start', choice: 0, block, of: { kind: 'search', queries, pages } },
      { type: 'block-end', choice: 0, block },
    ]
  }

  #take(event: AnswerEvent): AnswerEvent[] {
    switch (event.type) {
      case 'answer-start': {
        const isFirst = !this.#isStarted
        this.#isStarted = true
        return isFirst ? [event] : []
      }
      case 'block-start':
        return this.#begin(event)
      case 'block-delta': {
        const open = this.#open
        if (open === null) return []
        if (event.delta.kind === 'text') open.text += event.delta.text
        if (event.delta.kind === 'signature') open.signature += event.delta.signature
        return open.number === null ? [] : [{ ...event, block: open.number }]
      }
      case 'block-end':
        return this.#close()
      case 'choice-end':
        this.#end = event
        return []
      case 'usage':
        this.#usage = event.usage
        return [{ type: 'usage', usage: this.usage }]
      case 'failure':
        this.#hasFailed = true
        return [event]
      case 'answer-end':
        return []
      default:
        return [event]
    }
  }

  #begin(event: Extract<AnswerEvent, { type: 'block-start' }>): AnswerEvent[] {
    const { of } = event
    const isSearch = of.kind === 'tool-call' && of.name === this.#searchName
    if (of.kind === 'tool-call' && !isSearch) this.#hasOtherCalls = true
    const number = isSearch ? null : this.#blocks++
    this.#open = { of, number, text: '', signature: '' }
    return number === null ? [] : [{ ...event, block: number }]
  }

  #close(): AnswerEvent[] {
    const open = this.#open
    this.#open = null
    if (open === null) return []
    const part = partOf(open)
    if (part) this.#parts.push(part)
    const { of, number, text } = open
    if (number === null && of.kind === 'tool-call')
      this.#searches.push({ id: of.id, query: textOf(nestedObject(text)?.['query']) })
    if (number === null) return []
    const cited = of.kind === 'text' ? this.#citedIn(text, number) : []
    return [...cited, { type: 'block-end', choice: 0, block: number }]
  }

  /** Pages that were found and whose address the text names. */
  #citedIn(text: string, block: number): AnswerEvent[] {
    return [...this.#found.values()].flatMap(({ url, title }): AnswerEvent[] => {
      const start = text.indexOf(url)
      if (start < 0) return []
      const citation = { url, title, start, end: start + url.length }
      return [{ type: 'block-delta', choice: 0, block, delta: { kind: 'citation', citation } }]
    })
  }
}

/** Returns what goes back to the model of what it said. */
function partOf({ of, text, signature }: OpenBlock): Part | null {
  const signed = signature === '' ? {} : { signature }
  switch (of.kind) {
    case 'text':
      return { kind: 'text', text }
    case 'thinking':
      return { ...of, kind: 'thinking', text, ...signed }
    case 'redacted-thinking':
      return { kind: 'thinking', text: '', isRedacted: true, ...signed }
    case 'tool-call': {
      const { id, name, itemId } = of
      return { kind: 'tool-call', id, name, argumentsText: text, ...signed, ...(itemId !== undefined && { itemId }) }
    }
    default:
      return null
  }
}
