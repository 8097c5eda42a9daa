import type { UsageCounter } from '../../dialect'
import { TextBuffer } from './text-buffer'

const quote = 0x22
const backslash = 0x5c

/** Which bytes stand in a JSON string as they are, and which in a number. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0,
)
const digits = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x30 && byte <= 0x39 ? 1 : 0))

/**
 * Members that differ from event to event: OpenAI's number of an event and what hides the length of its text, which tell
 * nothing, and Gemini's usage so far, of which the last is all.
 */
const varying = [
  { name: '"sequence_number":', takes: digits, isUsage: false },
  { name: '"obfuscation":"', takes: plain, isUsage: false },
  { name: '"candidatesTokenCount":', takes: digits, isUsage: true },
  { name: '"thoughtsTokenCount":', takes: digits, isUsage: true },
  { name: '"totalTokenCount":', takes: digits, isUsage: true },
].map(({ name, ...rest }) => ({ name: Buffer.from(name), ...rest }))
const space = 0x20

/** A place where events differ, and what stands before it. */
interface Gap {
  readonly before: Buffer
  /** By byte: whether it may stand there. */
  readonly takes: Uint8Array
  readonly isText: boolean
  readonly isUsage: boolean
}

/**
 * The form of an event that brings a piece of text. Most events of a stream differ from the one before them in nothing but
 * that text, and what such an event says is known without reading it again. Looks at bytes and makes nothing of them, for it
 * runs for every frame.
 */
export class TextEvent implements UsageCounter {
  /** Where the text of the last event stands that was like this one. */
  start = 0
  end = 0
  /** As `UsageCounter` says. */
  counted: number
  /** Each event that is like this one may tell another usage. */
  readonly reportsUsage: boolean
  readonly #gaps: readonly Gap[]
  readonly #tail: Buffer

  /** The event's text stands in a JSON string between two places. */
  constructor(event: Uint8Array, start: number, end: number) {
    const others = varyingIn(event)
    const places = [{ start, end, takes: plain, isText: true, isUsage: false }, ...others]
    const counts = others.filter(({ isUsage }) => isUsage)
    this.reportsUsage = counts.length > 0
    this.counted = counts.reduce((sum, count) => sum + numberAt(event, count.start, count.end), 0)
    const own = Buffer.from(event.buffer, event.byteOffset, event.byteLength)
    let from = 0
    this.#gaps = places
      .toSorted((one, other) => one.start - other.start)
      .map((place) => {
        const before = own.subarray(from, place.start)
        from = place.end
        return { ...place, before }
      })
    this.#tail = own.subarray(from)
  }

  /** Whether these bytes are an event that differs from this one in its text and what varies alone, and that text has no escapes and is not empty. */
  isLike(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from
    let counted = 0
    for (const { before, takes, isText, isUsage } of this.#gaps) {
      if (!stands(before, bytes, at, to)) return false
      const start = at + before.length
      at = start
      while (at < to && takes[bytes[at] ?? quote] === 1) at += 1
      if (isUsage) counted += numberAt(bytes, start, at)
      if (!isText) continue
      if (at === start) return false
      this.start = start
      this.end = at
    }
    if (to - at !== this.#tail.length || !stands(this.#tail, bytes, at, to)) return false
    this.counted = counted
    return true
  }
}

/** Returns the number that these digits are; more than any count where there are very many. */
function numberAt(bytes: Uint8Array, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at += 1) number = number * 10 + (bytes[at] ?? 0) - 0x30
  return number
}

/** Compared by the runtime, which takes a quarter of what a loop does. */
function stands(part: Buffer, bytes: Uint8Array, from: number, to: number): boolean {
  const end = from + part.length
  return end <= to && part.compare(bytes, from, end) === 0
}

/** Never in the text, where the same words have escapes. */
function varyingIn(event: Uint8Array) {
  const bytes = Buffer.from(event.buffer, event.byteOffset, event.byteLength)
  return varying.flatMap(({ name, takes, isUsage }) => {
    const at = bytes.indexOf(name)
    if (at < 0) return []
    let start = at + name.length
    if (takes === digits) while (bytes[start] === space) start += 1
    let end = start
    while (takes[bytes[end] ?? quote] === 1) end += 1
    return [{ start, end, takes, isText: false, isUsage }]
  })
}

/**
 * The form of an event of which is known that it says this text and nothing else; null where its place is not beyond doubt.
 * In an event without escapes the text stands as it is, so if it stands there once, there it comes from.
 */
export function textEventOf(event: Uint8Array, text: string): TextEvent | null {
  const bytes = Buffer.from(event.buffer, event.byteOffset, event.byteLength)
  if (text === '' || bytes.includes(backslash)) return null
  const quoted = Buffer.from(`"${text}"`)
  const at = bytes.indexOf(quoted)
  if (at < 0 || bytes.includes(quoted, at + 1)) return null
  return new TextEvent(event, at + 1, at + quoted.length - 1)
}

/** A longer event may have a picture in its text, which is not counted as text. */
export const maxRepeatLength = 4096

/** Longer runs end here and begin anew, which bounds what is kept of them. */
const maxRunLength = 64 * 1024

/** A run of events that differ from an event before them in their text (and in what varies without meaning) alone. */
export class TextRun {
  pieces = 0
  readonly #text = new TextBuffer()
  readonly #form: TextEvent
  /** Where the last event of the run stands, and its text within. */
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0
  #textStart = 0
  #textEnd = 0

  constructor(form: TextEvent) {
    this.#form = form
  }

  get textBytes(): number {
    return this.#text.seen
  }

  get isFull(): boolean {
    return this.#text.length >= maxRunLength
  }

  /** Adds the event that stands there, which the form was last found to be like. Takes no copy but of the text. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const form = this.#form
    this.pieces += 1
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.#textStart = form.start
    this.#textEnd = form.end
    this.#text.appendBytes(bytes, form.start, form.end)
  }

  /** Returns the last event of the run with the text of all of them. */
  mergeEvents(): Uint8Array {
    const before = this.#bytes.subarray(this.#start, this.#textStart)
    const after = this.#bytes.subarray(this.#textEnd, this.#end)
    return Buffer.concat([before, this.#text.bytes(), after])
  }
}
