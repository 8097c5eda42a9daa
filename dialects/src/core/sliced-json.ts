import { isObject, type JsonObject } from './json'
import { answerLimits } from './json-text'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const letterU = 0x75
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** A piece of at least this many bytes is parsed by itself. */
const sliceBytes = 256 * 1024
/** How many quotes within a string are looked at in a step. */
const maxOthers = 16 * 1024
/** How much is looked at between two steps. */
const scannedBytes = 1024 * 1024

/** From one byte to before another. */
type Range = readonly [from: number, to: number]

/** What is parsed by itself: elements or members that follow one another, or one that is long. */
type Piece =
  | { readonly kind: 'run'; readonly range: Range }
  | { readonly kind: 'long'; readonly name: Range | null; readonly value: LongValue }

type LongValue =
  | { readonly kind: 'text'; readonly range: Range }
  | { readonly kind: 'list' | 'object'; readonly pieces: readonly Piece[] }

/** A list or an object whose end was not seen yet. */
interface OpenValue {
  readonly kind: 'list' | 'object'
  readonly start: number
  readonly pieces: Piece[]
  /** Where the elements begin that are in no piece yet. */
  runStart: number
  /** The name of the member that is read; null before it was. */
  name: Range | null
  /** A long element ended, and nothing but a comma may follow. */
  isAfterLong: boolean
}

export interface SlicedLimits {
  /** How much there may be besides long strings without a blank and an escape, which are data in base64. */
  readonly textBytes: number
}

/** A JSON text holds more than was expected. */
export class TooMuchText extends SyntaxError {}

/**
 * Parses a JSON text of many megabytes in steps of milliseconds, as `parseAnswer` does in one: it yields between them. Returns the value.
 * @throws SyntaxError for what is no JSON, is nested too deeply or has more structure than any answer.
 */
export function* parseInSlices(bytes: Uint8Array, limits?: SlicedLimits): Generator<undefined, unknown, undefined> {
  const source = new Source(bytes)
  const root = yield* findPieces(source)
  if (limits && source.textBytes > limits.textBytes) throw new TooMuchText('More text than an answer has')
  return root === null ? source.parse([0, bytes.length]) : yield* build(source, root)
}

class Source {
  readonly bytes: Buffer
  /** How many bytes are something other than data in base64. */
  textBytes: number
  readonly #decoder = new TextDecoder()

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.textBytes = bytes.byteLength
  }

  text([from, to]: Range, before = '', after = ''): string {
    return before + this.#decoder.decode(this.bytes.subarray(from, to)) + after
  }

  parse(range: Range, before = '', after = ''): unknown {
    return JSON.parse(this.text(range, before, after))
  }

  /** Returns the range without blanks around it. */
  trim([from, to]: Range): Range {
    let [start, end] = [from, to]
    while (start < end && isBlank(this.bytes[start])) start += 1
    while (end > start && isBlank(this.bytes[end - 1])) end -= 1
    return [start, end]
  }

  /** A long string was found. */
  noteString([from, to]: Range): void {
    const text = this.bytes.subarray(from, to)
    if (text.indexOf(blank) < 0 && text.indexOf(backslash) < 0) this.textBytes -= to - from
  }

  isBlank(range: Range): boolean {
    const [start, end] = this.trim(range)
    return start === end
  }

  /** Returns the place of the quote that ends a string, whose content is looked at from here; below 0 after many others: where to go on, as `~`. */
  endOfString(from: number): number {
    let others = 0
    for (let at = this.bytes.indexOf(quote, from); at >= 0; at = this.bytes.indexOf(quote, at + 1)) {
      let before = at - 1
      while (this.bytes[before] === backslash) before -= 1
      if ((at - before) % 2 === 1) return at
      if (++others > maxOthers) return ~(at + 1)
    }
    throw new SyntaxError('A string does not end')
  }
}

const blank = 0x20
const isBlank = (byte: number | undefined): boolean => byte === blank || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Returns the outermost value in pieces; null where it is short enough to be parsed at once. */
function* findPieces(source: Source): Generator<undefined, LongValue | null, undefined> {
  const { bytes } = source
  const open: OpenValue[] = []
  let [parts, commas] = [0, 0]
  let [pausedAt, tokenAt] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    if (at - pausedAt > scannedBytes) {
      if (at - tokenAt >= scannedBytes) throw new SyntaxError('A number has too many digits')
      pausedAt = at
      yield
    }
    const current = open.at(-1)
    switch (bytes[at]) {
      case quote: {
        let end = source.endOfString(at + 1)
        for (; end < 0; end = source.endOfString(~end)) yield
        if (++parts > answerLimits.parts) throw tooMuch()
        if (current?.kind === 'object' && current.name === null) current.name = [at, end + 1]
        else if (end - at > sliceBytes) {
          const value: LongValue = { kind: 'text', range: [at, end + 1] }
          source.noteString([at, end])
          if (!current) return endOfRoot(source, at, end + 1, value)
          addLong(source, current, [at, end + 1], value)
        }
        at = tokenAt = end
        break
      }
      case comma:
        tokenAt = at
        if (++commas > answerLimits.commas) throw tooMuch()
        if (current) endElement(source, current, at, false)
        break
      case openList:
      case openObject:
        tokenAt = at
        if (++parts > answerLimits.parts || open.length >= answerLimits.depth) throw tooMuch()
        open.push({
          kind: bytes[at] === openList ? 'list' : 'object',
          start: at,
          pieces: [],
          runStart: at + 1,
          name: null,
          isAfterLong: false,
        })
        break
      case closeList:
      case closeObject: {
        tokenAt = at
        const ended = open.pop()
        if (ended?.kind !== (bytes[at] === closeList ? 'list' : 'object'))
          throw new SyntaxError('Brackets do not match')
        if (ended.pieces.length === 0) break
        endElement(source, ended, at, true)
        const value: LongValue = { kind: ended.kind, pieces: ended.pieces }
        const parent = open.at(-1)
        if (parent) addLong(source, parent, [ended.start, at + 1], value)
        else return endOfRoot(source, ended.start, at + 1, value)
      }
    }
  }
  if (open.length > 0) throw new SyntaxError('A list or an object does not end')
  return null
}

const tooMuch = () => new SyntaxError('More structure than an answer has')

function endOfRoot(source: Source, start: number, end: number, value: LongValue): LongValue {
  if (source.isBlank([0, start]) && source.isBlank([end, source.bytes.length])) return value
  throw new SyntaxError('Something stands beside the value')
}

/** An element or a member ended, at a comma or at the end of its list or object. */
function endElement(source: Source, current: OpenValue, at: number, isLast: boolean): void {
  if (current.isAfterLong) {
    if (!source.isBlank([current.runStart, at])) throw new SyntaxError('A comma is missing')
    current.runStart = at + 1
    current.isAfterLong = false
  } else if (isLast ? current.pieces.length > 0 : at - current.runStart >= sliceBytes) {
    addRun(source, current, [current.runStart, at])
    current.runStart = at + 1
  }
  current.name = null
}

function addRun(source: Source, { pieces }: OpenValue, range: Range): void {
  if (source.isBlank(range)) throw new SyntaxError('An element is missing')
  pieces.push({ kind: 'run', range })
}

/** Adds an element that is long, and what stands before it. */
function addLong(source: Source, parent: OpenValue, [from, to]: Range, value: LongValue): void {
  const { kind, name, runStart } = parent
  if (parent.isAfterLong) throw new SyntaxError('A comma is missing')
  if (kind === 'object' && (name === null || source.text(source.trim([name[1], from])) !== ':'))
    throw new SyntaxError('A member has no name')
  const before = source.trim([runStart, name?.[0] ?? from])
  if (!source.isBlank(before)) {
    if (source.bytes[before[1] - 1] !== comma) throw new SyntaxError('A comma is missing')
    addRun(source, parent, [before[0], before[1] - 1])
  }
  parent.pieces.push({ kind: 'long', name, value })
  parent.runStart = to
  parent.isAfterLong = true
}

function* build(source: Source, value: LongValue): Generator<undefined, unknown, undefined> {
  if (value.kind === 'text') return yield* buildText(source, value.range)
  const list: unknown[] = []
  const object: JsonObject = {}
  for (const piece of value.pieces) {
    if (piece.kind === 'long') {
      const element = yield* build(source, piece.value)
      if (piece.name === null) list.push(element)
      else setMember(object, String(source.parse(piece.name)), element)
    } else if (value.kind === 'list') {
      const elements = source.parse(piece.range, '[', ']')
      if (Array.isArray(elements)) for (const element of elements) list.push(element)
    } else {
      const members = source.parse(piece.range, '{', '}')
      if (isObject(members)) for (const [name, member] of Object.entries(members)) setMember(object, name, member)
    }
    yield
  }
  return value.kind === 'list' ? list : object
}

/** As a parser sets it: a name that objects have a meaning for is a member as any other. */
function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })
  else object[name] = value
}

function* buildText(source: Source, [start, end]: Range): Generator<undefined, string, undefined> {
  const parts: unknown[] = []
  for (let from = start + 1; from < end - 1;) {
    const to = endOfPart(source, from, end - 1)
    parts.push(source.parse([from, to], '"', '"'))
    from = to
    yield
  }
  return parts.join('')
}

/** Returns where a text may be cut: within no escape and no character. */
function endOfPart({ bytes }: Source, from: number, end: number): number {
  const max = Math.min(from + sliceBytes, end)
  let at = from
  while (at < max) at += bytes[at] !== backslash ? 1 : bytes[at + 1] === letterU ? 6 : 2
  while (at < end && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return Math.min(at, end)
}
