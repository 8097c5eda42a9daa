import { endOfString } from '../json-text'
import { TextBuffer } from '../streaming/fast-path/text-buffer'

const quote = 0x22
const colon = 0x3a

/** What the deltas of a stream have said so far. */
export interface DeltaText {
  readonly text: TextBuffer
  toolCalls: number
  /** Calls whose arguments are an object instead of JSON text. */
  objects: number
  /** How many pieces, and where in its event the latest stands. */
  pieces: number
  start: number
  end: number
  /** A visible character was found. */
  isVisible: boolean
}

/**
 * Collects what an event of a chat stream says, by a walk over its deltas without parsing it. Returns whether it found any text.
 * `data` is Latin-1. A quote inside a string is escaped, so an open `"delta"` can only be a name.
 */
export function collectDeltas(data: string, collected: DeltaText): boolean {
  let hasText = false
  for (let at = data.indexOf('"delta"'); at >= 0;) {
    const end = new DeltaWalk(data, at + 7, collected).run()
    if (end < 0) hasText = true
    at = data.indexOf('"delta"', Math.abs(end))
  }
  return hasText
}

/** The same for text completions, whose choices have a `text`. */
export function collectTexts(data: string, collected: DeltaText): boolean {
  let hasText = false
  for (let at = data.indexOf('"text"'); at >= 0; at = data.indexOf('"text"', at + 6)) {
    const start = valueStart(data, at + 6)
    if (data.charCodeAt(start) !== quote) continue
    const end = endOfString(data, start)
    hasText = add(data, start, end, collected) || hasText
    at = end
  }
  return hasText
}

/** Where the value after a name begins: behind the colon and white space; -1 without a colon. */
export function valueStart(data: string, from: number): number {
  let at = skipSpace(data, from)
  if (data.charCodeAt(at) !== colon) return -1
  return skipSpace(data, at + 1)
}

function skipSpace(data: string, from: number): number {
  let at = from
  for (let code = data.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d); code = data.charCodeAt(at))
    at += 1
  return at
}

/** A string stands between two quotes. */
function add(data: string, start: number, end: number, collected: DeltaText): boolean {
  if (end <= start + 1) return false
  appendPiece(data, start + 1, end, collected)
  return true
}

/** Adds a piece of text, as it stands in a string of an event. */
function appendPiece(data: string, start: number, end: number, collected: DeltaText): void {
  collected.text.append(data, start, end)
  collected.isVisible ||= hasVisible(data, start, end)
  collected.pieces += 1
  collected.start = start
  collected.end = end
}

export const noDeltaText = (): DeltaText => ({
  text: new TextBuffer(),
  toolCalls: 0,
  objects: 0,
  pieces: 0,
  start: 0,
  end: 0,
  isVisible: false,
})

/** Whether an escaped string has more than white space. */
export function hasVisible(data: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = data.charCodeAt(at)
    if (code === 0x5c) {
      const escaped = data[at + 1]
      if (escaped !== 'n' && escaped !== 't' && escaped !== 'r') return true
      at += 1
    } else if (code > 0x20) return true
  }
  return false
}

/** One walk over the object that follows the name `delta`. */
class DeltaWalk {
  #depth = 0
  #hasReasoning = false
  #hasText = false

  constructor(
    private readonly data: string,
    private readonly from: number,
    private readonly collected: DeltaText,
  ) {}

  /** Returns where the delta ends; negative when it has text. */
  run(): number {
    const { data } = this
    let at = valueStart(data, this.from)
    if (at < 0) return this.from
    for (; at < data.length; at += 1) {
      const code = data.charCodeAt(at)
      if (code === quote) at = this.#string(at)
      else if (code === 0x7b || code === 0x5b) this.#depth += 1
      else if (code === 0x7d || code === 0x5d) this.#depth -= 1
      if (this.#depth <= 0) break
    }
    const end = Math.min(at, data.length)
    return this.#hasText ? -end : end
  }

  /** Walk over a string, and over its value when it is the name of a text. Answers the last place walked over. */
  #string(start: number): number {
    const { data } = this
    const end = endOfString(data, start)
    const next = data.charCodeAt(end + 1)
    if (next === 0x2c || next === 0x7d || next === 0x5d) return end
    const value = valueStart(data, end + 1)
    if (value < 0) return end
    if (data.charCodeAt(value) !== quote)
      return data.charCodeAt(value) === 0x7b && data.startsWith('arguments', start + 1)
        ? this.#object(value)
        : value - 1
    const valueEnd = endOfString(data, value)
    this.#member(data.slice(start + 1, end), value, valueEnd)
    return valueEnd
  }

  /** Walks over arguments that are an object. Returns the last place walked over. */
  #object(start: number): number {
    const { data, collected } = this
    let at = start
    for (let depth = 0; at < data.length; at += 1) {
      const code = data.charCodeAt(at)
      if (code === quote) at = endOfString(data, at)
      else if (code === 0x7b || code === 0x5b) depth += 1
      else if (code === 0x7d || code === 0x5d) depth -= 1
      if (depth === 0) break
    }
    const text = JSON.stringify(data.slice(start, at + 1)).slice(1, -1)
    collected.objects += 1
    appendPiece(text, 0, text.length, collected)
    this.#hasText = true
    return at
  }

  #member(name: string, start: number, end: number): void {
    if (name === 'content' || name === 'arguments' || name === 'refusal' || name === 'transcript') this.#add(start, end)
    else if (name === 'reasoning_content' || name === 'reasoning') {
      // Some vendors write their reasoning under both names.
      if (this.#hasReasoning) return
      this.#hasReasoning = true
      this.#add(start, end)
    } else if (name === 'text') {
      // A part of content that is a list; OpenRouter repeats its reasoning in such parts.
      if (!this.#hasReasoning) this.#add(start, end)
    } else if (name === 'name' && end > start + 1) {
      this.collected.toolCalls += 1
      this.#add(start, end)
    }
  }

  #add(start: number, end: number): void {
    if (add(this.data, start, end, this.collected)) this.#hasText = true
  }
}
