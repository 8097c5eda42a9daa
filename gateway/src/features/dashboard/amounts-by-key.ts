import type { dashboardRoutes } from '@tollgate/contract'

import { figures } from '../../analytics/dimensions'

type Totals = dashboardRoutes.DashboardTotals

/** Figures in the order of `figures`. */
export type Amounts = ArrayLike<number>

export const amountsOf = (totals: Totals): Amounts => figures.map((name) => totals[name])
export const totalsOf = (amounts: Amounts): Totals =>
  Object.fromEntries(figures.map((name, at) => [name, amounts[at] ?? 0])) as Totals

const [countAt, errorsAt, quotaAt] = [figures.indexOf('count'), figures.indexOf('errors'), figures.indexOf('quota')]

/** Figures added up by very many keys, without an object for each. */
export class AmountsByKey {
  readonly #places = new Map<number, number>()
  readonly #keys: number[] = []
  #sums = new Float64Array(figures.length * 64)
  /** The same key often comes many times in turn. */
  #lastKey: number | undefined
  #lastPlace = 0

  add(key: number, amounts: Amounts): void {
    const place = key === this.#lastKey ? this.#lastPlace : this.#placeOf(key)
    const sums = this.#sums
    for (let at = 0; at < figures.length; at += 1) sums[place + at] = (sums[place + at] ?? 0) + (amounts[at] ?? 0)
  }

  all(): [key: number, sums: Amounts][] {
    return [...this.#keys.keys()].map((index) => this.#entry(index))
  }

  /** So many of the largest: by quota, then calls, then errors, then the lower key. */
  largest(most: number): [key: number, sums: Amounts][] {
    const found: number[] = []
    for (const index of this.#keys.keys()) {
      const last = found[most - 1]
      if (last !== undefined) {
        if (this.#compare(index, last) > 0) continue
        found.pop()
      }
      const behind = found.findIndex((other) => this.#compare(index, other) < 0)
      found.splice(behind < 0 ? found.length : behind, 0, index)
    }
    return found.map((index) => this.#entry(index))
  }

  #placeOf(key: number): number {
    this.#lastKey = key
    this.#lastPlace = this.#places.get(key) ?? this.#newPlace(key)
    return this.#lastPlace
  }

  #newPlace(key: number): number {
    const place = this.#keys.length * figures.length
    this.#places.set(key, place)
    this.#keys.push(key)
    if (place === this.#sums.length) this.#grow()
    return place
  }

  #grow(): void {
    const sums = new Float64Array(this.#sums.length * 2)
    sums.set(this.#sums)
    this.#sums = sums
  }

  #entry(index: number): [key: number, sums: Amounts] {
    const place = index * figures.length
    return [this.#keys[index] ?? 0, this.#sums.subarray(place, place + figures.length)]
  }

  /** Less than 0: the one comes first. */
  #compare(one: number, other: number): number {
    const more = (at: number) =>
      (this.#sums[other * figures.length + at] ?? 0) - (this.#sums[one * figures.length + at] ?? 0)
    return more(quotaAt) || more(countAt) || more(errorsAt) || (this.#keys[one] ?? 0) - (this.#keys[other] ?? 0)
  }
}
