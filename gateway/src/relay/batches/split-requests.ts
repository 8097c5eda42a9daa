import { AppError } from '../../platform/app-error'
import type { SubmittedLine } from './submit-batch'

const quote = '"'

/**
 * Yields the texts of the elements of a list that an object has, without parsing them: each is then checked as the body of any call is, and a
 * batch of many is not one structure in memory.
 * @throws AppError `request.malformed` for what is not such an object.
 */
export function* elementsOf(text: string, name: string): Generator<SubmittedLine, void> {
  const scanner = new Scanner(text)
  scanner.expect('{')
  for (let isFirst = true; ; isFirst = false) {
    if (scanner.take('}')) return
    if (!isFirst) scanner.expect(',')
    const member = scanner.value()
    scanner.expect(':')
    if (member !== JSON.stringify(name)) {
      scanner.value()
      continue
    }
    scanner.expect('[')
    for (let number = 1; !scanner.take(']'); number += 1) {
      if (number > 1) scanner.expect(',')
      yield { number, text: scanner.value() }
    }
  }
}

/** Reads JSON from left to right, without looking into values. */
class Scanner {
  #at = 0

  constructor(private readonly text: string) {}

  take(mark: string): boolean {
    this.#skipSpace()
    if (this.text[this.#at] !== mark) return false
    this.#at += 1
    return true
  }

  expect(mark: string): void {
    if (!this.take(mark)) throw new AppError('request.malformed')
  }

  /** Returns the text of the next value. */
  value(): string {
    this.#skipSpace()
    const start = this.#at
    let depth = 0
    for (; this.#at < this.text.length; this.#at += 1) {
      const mark = this.text[this.#at] ?? ''
      if (mark === quote) this.#at = this.#endOfString()
      else if (mark === '{' || mark === '[') depth += 1
      else if (mark === '}' || mark === ']' || mark === ',' || mark === ':') {
        if (depth === 0) break
        if (mark === '}' || mark === ']') depth -= 1
      }
    }
    const value = this.text.slice(start, this.#at).trim()
    if (value === '' || depth > 0) throw new AppError('request.malformed')
    return value
  }

  /** Returns where the string ends that begins here. */
  #endOfString(): number {
    for (let end = this.text.indexOf(quote, this.#at + 1); end >= 0; end = this.text.indexOf(quote, end + 1)) {
      let slashes = 0
      while (this.text[end - 1 - slashes] === '\\') slashes += 1
      if (slashes % 2 === 0) return end
    }
    throw new AppError('request.malformed')
  }

  #skipSpace(): void {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at += 1
  }
}
