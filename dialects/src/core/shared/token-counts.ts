/** More tokens than any call can have; a vendor that says so is wrong. */
const maxTokens = 2 ** 30

/** Reads the counts of a usage and remembers whether all of them are possible numbers. */
export class TokenCounts {
  /** A count is negative, fractional, enormous or not a number: nothing of this usage can be believed. */
  isWrong = false

  /** Returns the first of these that is there and not zero; null when none is there. */
  first(one: unknown, two?: unknown, three?: unknown): number | null {
    return this.#or(this.#or(this.#or(null, one), two), three)
  }

  #or(found: number | null, value: unknown): number | null {
    const isFound = found !== null && found > 0
    return isFound || value === undefined || value === null ? found : this.#checkCount(value)
  }

  /** Returns the count, zero where it is missing. */
  of(one: unknown, two?: unknown, three?: unknown): number {
    return this.first(one, two, three) ?? 0
  }

  #checkCount(value: unknown): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens) return value
    this.isWrong = true
    return 0
  }
}
