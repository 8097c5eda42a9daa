/** More sources than an answer has; the others are left out. */
const maxSources = 10_000
/** Characters that citations repeat of the text. Each may name all of it, so what is longer altogether is left out. */
const maxRepeated = 1024 * 1024

/** Counts what the citations of one answer repeat of its text. */
export class CitedText {
  #count = 0
  #repeated = 0

  /** How many there are so far. */
  get count(): number {
    return this.#count
  }

  /** Returns the part of the text that a citation names; null where it is one too many. */
  take(text: string, start: number, end: number): string | null {
    const named = text.slice(start, end)
    if (this.#count >= maxSources || this.#repeated + named.length > maxRepeated) return null
    this.#count += 1
    this.#repeated += named.length
    return named
  }
}
