/** More tokens than any call can have; a vendor that says so is wrong. */
const mostTokens = 2 ** 30

/** Reads the counts of a usage and remembers whether all of them are possible numbers. */
export class TokenCounts {
  /** A count is negative, fractional, enormous or not a number: nothing of this usage can be believed. */
  isWrong = false

  /** Returns the first of these that is there and not zero; null when none is there. */
  first(...values: readonly unknown[]): number | null {
    let found: number | null = null
    for (const value of values) {
      if (value === undefined || value === null) continue
      found = this.#checked(value)
      if (found > 0) return found
    }
    return found
  }

  /** Returns the count, zero where it is missing. */
  of(...values: readonly unknown[]): number {
    return this.first(...values) ?? 0
  }

  #checked(value: unknown): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens) return value
    this.isWrong = true
    return 0
  }
}
