import { AppError } from '../../platform/app-error'
import type { SubmittedLine } from './submit-batch'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
/** What braces and brackets have in common once this bit is cleared. */
const braceBit = 0x20
const openBracket = 0x5b
const closeBracket = 0x5d

/** Characters that are looked at before the loop serves others. */
const charactersInTurn = 64 * 1024
/** Quotes within a string, which are looked at one by one. */
const quotesInTurn = 16 * 1024

/** Null: a good moment to let others have their turn. */
type Scan<Result> = Generator<null, Result, undefined>

/**
 * Yields the texts of the elements of a list that an object has, without parsing them: each is then checked as the body of any call is, and a
 * batch of many is not one structure in memory. Between them it yields null from time to time, for others to be served.
 * @throws AppError `request.malformed` for what is not such an object.
 */
export function* elementsOf(text: string, name: string): Generator<SubmittedLine | null, void, undefined> {
  const scanner = new Scanner(text)
  const memberName = JSON.stringify(name)
  yield* scanner.expect('{')
  for (let isFirst = true; ; isFirst = false) {
    if (yield* scanner.take('}')) return
    if (!isFirst) yield* scanner.expect(',')
    const member = yield* scanner.value()
    yield* scanner.expect(':')
    if (member !== memberName) {
      yield* scanner.value()
      continue
    }
    yield* scanner.expect('[')
    for (let number = 1; !(yield* scanner.take(']')); number += 1) {
      if (number > 1) yield* scanner.expect(',')
      yield { number, text: yield* scanner.value() }
    }
  }
}

/** Reads JSON from left to right, without looking into values. */
class Scanner {
  #at = 0
  #pauseAt = charactersInTurn

  constructor(private readonly text: string) {}

  *take(mark: string): Scan<boolean> {
    yield* this.#skipSpace()
    if (this.text[this.#at] !== mark) return false
    this.#at += 1
    return true
  }

  *expect(mark: string): Scan<void> {
    if (!(yield* this.take(mark))) throw new AppError('request.malformed')
  }

  /** Returns the text of the next value. */
  *value(): Scan<string> {
    yield* this.#skipSpace()
    const start = this.#at
    let depth = 0
    for (; this.#at < this.text.length; this.#at += 1) {
      if (this.#at > this.#pauseAt) yield* this.#pause()
      const code = this.text.charCodeAt(this.#at)
      const bracket = code & ~braceBit
      if (code === quote) yield* this.#skipString()
      else if (bracket === openBracket) depth += 1
      else if (bracket === closeBracket || code === comma || code === colon) {
        if (depth === 0) break
        if (bracket === closeBracket) depth -= 1
      }
    }
    const value = this.text.slice(start, this.#at).trim()
    if (value === '' || depth > 0) throw new AppError('request.malformed')
    return value
  }

  /** Goes to the end of the string that begins here. */
  *#skipString(): Scan<void> {
    let quotes = 0
    for (let end = this.text.indexOf('"', this.#at + 1); end >= 0; end = this.text.indexOf('"', end + 1)) {
      let before = end - 1
      while (this.text.charCodeAt(before) === backslash) before -= 1
      if ((end - before) % 2 === 1) {
        this.#at = end
        return
      }
      if (++quotes % quotesInTurn === 0) yield null
    }
    throw new AppError('request.malformed')
  }

  *#skipSpace(): Scan<void> {
    while (isSpace(this.text.charCodeAt(this.#at))) {
      this.#at += 1
      if (this.#at > this.#pauseAt) yield* this.#pause()
    }
  }

  *#pause(): Scan<void> {
    this.#pauseAt = this.#at + charactersInTurn
    yield null
  }
}

/** https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
