/** Weights from which places are drawn one after the other, each in a time that hardly grows with their number. */
export class WeightTree {
  /** A binary indexed tree: place `n`, from 1, holds the sum of as many weights up to it as its lowest bit says. */
  readonly #sums: Float64Array
  readonly #weights: Float64Array
  readonly #highestBit: number
  #total = 0

  /** Weights are above 0. */
  constructor(weights: readonly number[]) {
    const { length } = weights
    this.#weights = Float64Array.from(weights)
    this.#sums = new Float64Array(length + 1)
    this.#highestBit = length === 0 ? 0 : 2 ** Math.floor(Math.log2(length))
    for (const [index, weight] of weights.entries()) {
      const place = index + 1
      const above = place + (place & -place)
      const sum = (this.#sums[place] ?? 0) + weight
      this.#sums[place] = sum
      if (above <= length) this.#sums[above] = (this.#sums[above] ?? 0) + sum
      this.#total += weight
    }
  }

  /** Of what is left. */
  get total(): number {
    return this.#total
  }

  /** Take out the place in whose part of the sum the mark lies, counted in order; the mark is at least 0 and below `total`. */
  take(mark: number): number {
    let before = 0
    let left = mark
    for (let bit = this.#highestBit; bit > 0; bit >>= 1) {
      const sum = this.#sums[before + bit]
      if (sum === undefined || sum > left) continue
      before += bit
      left -= sum
    }
    this.#remove(before)
    return before
  }

  #remove(index: number): void {
    const weight = this.#weights[index] ?? 0
    this.#weights[index] = 0
    this.#total -= weight
    for (let place = index + 1; place < this.#sums.length; place += place & -place) {
      this.#sums[place] = (this.#sums[place] ?? 0) - weight
    }
  }
}
