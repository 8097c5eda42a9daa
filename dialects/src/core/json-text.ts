import { DialectError } from './dialect-error'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const open = 0x5b // [
const close = 0x5d // ]
const backslash = 0x5c
/** What the braces and brackets have in common once this bit is cleared: `{` is `[` with it, `}` is `]`. */
const braceBit = 0x20
const modelName = '"model"'

/** Strings of more characters than this are left out of an outline. */
const maxOutlinedLength = 16 * 1024

/** How much structure a JSON text may have. */
export interface StructureLimits {
  /** Levels of objects and lists inside one another. */
  readonly depth: number
  /** Objects, lists and strings, names included: each becomes an object in memory. */
  readonly parts: number
  /** Commas, which bound numbers, flags and nulls: a parser makes far less of those. */
  readonly commas: number
}

/** What a JSON text is made of, told without parsing it. */
export interface JsonScan {
  /** The limit that the text exceeds, or null. The rest is complete only when it is null. */
  readonly exceeded: keyof StructureLimits | null
  /** Members of all objects, each counted as often as its name is written. */
  readonly members: number
  /** Objects, lists, strings and commas: about how much a parser has to make. */
  readonly elements: number
  /** Characters beside strings: numbers of many digits cost a parser more than their elements tell. */
  readonly bare: number
  /** The place of the colon after the last `"model"` of the outermost object; -1 when there is none. */
  readonly modelColon: number
  /** Where strings of more than 16,384 characters stand, from their first quote to their last. */
  readonly longStrings: readonly (readonly [start: number, end: number])[]
}

/**
 * Returns what the text is made of. Strings are skipped natively and every other character is looked at once, so a scan
 * costs less than the parse that follows. Text that is not JSON is scanned all the same.
 */
export function scanJson(text: string, limits: StructureLimits): JsonScan {
  const scanner = new Scanner(text, limits)
  scanner.scanTo(text.length)
  return scanner
}

class Scanner implements JsonScan {
  exceeded: JsonScan['exceeded'] = null
  members = 0
  modelColon = -1
  readonly longStrings: [number, number][] = []
  /** Where it goes on. */
  at = 0
  #depth = 0
  #parts = 0
  #commas = 0
  #quoted = 0
  #stringStart = -1
  #stringEnd = -1

  constructor(
    private readonly text: string,
    private readonly limits: StructureLimits,
  ) {}

  get elements(): number {
    return this.#parts + this.#commas
  }

  get bare(): number {
    return this.at - this.#quoted
  }

  /** Looks at the characters before a place, and at the rest of a string that begins before it. Does nothing once a limit is exceeded. */
  scanTo(end: number): void {
    const { text, limits } = this
    let { at, exceeded, members, modelColon } = this
    let [depth, parts, commas, quoted] = [this.#depth, this.#parts, this.#commas, this.#quoted]
    let [stringStart, stringEnd] = [this.#stringStart, this.#stringEnd]
    for (; at < end && exceeded === null; at += 1) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        stringStart = at
        at = stringEnd = endOfString(text, at)
        quoted += stringEnd - stringStart + 1
        if (stringEnd - stringStart > maxOutlinedLength) this.longStrings.push([stringStart, stringEnd])
        if (++parts > limits.parts) exceeded = 'parts'
      } else if (code === comma) {
        if (++commas > limits.commas) exceeded = 'commas'
      } else if (code === colon) {
        members += 1
        if (depth === 1 && stringEnd - stringStart === modelName.length - 1 && text.startsWith(modelName, stringStart))
          modelColon = at
      } else if ((code & ~braceBit) === open) {
        if (++depth > limits.depth) exceeded = 'depth'
        else if (++parts > limits.parts) exceeded = 'parts'
      } else if ((code & ~braceBit) === close) depth -= 1
    }
    this.at = at
    this.exceeded = exceeded
    this.members = members
    this.modelColon = modelColon
    this.#depth = depth
    this.#parts = parts
    this.#commas = commas
    this.#quoted = quoted
    this.#stringStart = stringStart
    this.#stringEnd = stringEnd
  }
}

/**
 * Far above what calls have: 5,000 messages of a few parts each are some 100,000 parts, and 2,000 inputs of 1,000 token ids
 * each are 2 million commas. The dearest text within these limits takes 50 ms to parse, which is done in slices.
 */
const requestLimits: StructureLimits = { depth: 128, parts: 500_000, commas: 4_000_000 }

/**
 * Scans the body of a request before a parser walks into it.
 * @throws DialectError `nesting_too_deep`, `structure_too_large`.
 */
export function scanRequest(text: string, limits = requestLimits): JsonScan {
  const scanner = new Scanner(text, limits)
  scanner.scanTo(text.length)
  return requireAllowed(scanner, limits)
}

/** Characters that take some milliseconds. */
const charactersInStep = 4_000_000

/** Does the same in steps, for a text of any length. */
export function* scanRequestInSteps(text: string): Generator<undefined, JsonScan, undefined> {
  const scanner = new Scanner(text, requestLimits)
  while (scanner.at < text.length && scanner.exceeded === null) {
    scanner.scanTo(Math.min(scanner.at + charactersInStep, text.length))
    yield
  }
  return requireAllowed(scanner, requestLimits)
}

function requireAllowed(scan: JsonScan, limits: StructureLimits): JsonScan {
  if (scan.exceeded === null) return scan
  if (scan.exceeded === 'depth')
    throw new DialectError(null, 'nesting_too_deep', `The body is nested deeper than ${limits.depth} levels.`)
  const max =
    scan.exceeded === 'parts'
      ? `${limits.parts} objects, arrays and strings`
      : `${limits.commas} elements in its arrays`
  throw new DialectError(null, 'structure_too_large', `The body has more than ${max}.`)
}

/** No answer is nested so deeply. A parser takes that many levels in no time; of a million it holds up everybody for half a second. */
const deepestAnswer = 1000
/** Log probabilities of 16,000 tokens with 20 alternatives each are 2 million parts; embeddings are mostly commas. */
export const answerLimits: StructureLimits = { depth: deepestAnswer, parts: 2_000_000, commas: 8_000_000 }

/** Returns the limit that an upstream's text, one JSON value or events with many, exceeds; null when it exceeds none. */
function exceededBy(text: string): keyof StructureLimits | null {
  // A shorter text has no room for that many parts, and few brackets cannot nest deeply: most answers need no walk.
  const isSuspect = text.length > answerLimits.parts * 2 || hasMoreBrackets(text, deepestAnswer)
  return isSuspect ? scanJson(text, answerLimits).exceeded : null
}

/** More than a model writes into one call, and what takes a parser a few milliseconds. */
const nestedLimits: StructureLimits = { depth: 128, parts: 50_000, commas: 200_000 }
/** Characters beside strings: many digits cost a parser as much as many elements. */
const nestedBare = 4_000_000
/** A shorter text has no room for more. */
const nestedLength = 64 * 1024

const isTooMuch = ({ exceeded, bare }: JsonScan): boolean => exceeded !== null || bare > nestedBare

/** Scans a text within a request or an answer, no further than to where `parseNested` refuses it. */
export function scanNested(text: string): JsonScan {
  const scanner = new Scanner(text, nestedLimits)
  while (scanner.at < text.length && !isTooMuch(scanner)) scanner.scanTo(Math.min(scanner.at + nestedBare, text.length))
  return scanner
}

/**
 * Parse a text that stands in a request or an answer, where it counts as one string whatever it holds.
 * @throws SyntaxError also for what is nested too deeply or has more structure than a call.
 */
export function parseNested(text: string): unknown {
  const isSuspect = text.length > nestedLength || hasMoreBrackets(text, nestedLimits.depth)
  if (isSuspect && isTooMuch(scanNested(text))) throw new SyntaxError('More structure than a call has')
  return JSON.parse(text)
}

/** Whether what an upstream sent is nested deeper, or has more structure, than any answer. */
export const isTooComplex = (text: string): boolean => exceededBy(text) !== null

/**
 * Parse what an upstream sent.
 * @throws SyntaxError also for what is nested too deeply or has more structure than any answer.
 */
export function parseAnswer(text: string): unknown {
  const exceeded = exceededBy(text)
  if (exceeded === null) return JSON.parse(text)
  throw new SyntaxError(
    exceeded === 'depth' ? `Nested deeper than ${deepestAnswer} levels` : 'More structure than an answer has',
  )
}

/** A text with too few opening brackets to be that deep costs a few native searches and no walk. */
function hasMoreBrackets(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > limit) return true
    }
  }
  return false
}

/** The place of the quote that closes the string opened at `start`; the end of the text when none does. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

const leftOut = Buffer.from('…')

/** Returns a JSON text in which a mark stands for each long string. What is no JSON stays none. */
export function outlineOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= maxOutlinedLength) return bytes
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  let from = 0
  for (let start = text.indexOf(quote); start >= 0;) {
    const end = endOfBytes(text, start)
    if (end < 0) break
    if (end - start > maxOutlinedLength) {
      parts.push(text.subarray(from, start + 1), leftOut)
      from = end
    }
    start = text.indexOf(quote, end + 1)
  }
  return from === 0 ? bytes : Buffer.concat([...parts, text.subarray(from)])
}

/** As `endOfString`; -1 where the string does not end. */
function endOfBytes(text: Buffer, start: number): number {
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let before = at - 1
    while (text[before] === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return -1
}
