import type { ChargeRecord } from '../charge/charge-record'
import { amountDrawn, drawableOf, type Drawable } from './draws'
import type { DrawSets } from './named-draws'

type Sum = { -readonly [Figure in keyof Drawable]: Drawable[Figure] }

/** What charges drew from periods of windows: those that name the same draws are added up before their periods are looked at. */
export class DrawSums {
  readonly #named = new Map<string, Sum>()
  readonly #listed: { readonly series: string; readonly period: number; readonly amount: number }[] = []

  constructor(private readonly sets: DrawSets) {}

  add(windows: NonNullable<ChargeRecord['windows']>, charge: Pick<ChargeRecord, 'cost' | 'entry'>): void {
    const drawable = drawableOf(charge)
    for (const drawn of windows)
      if (typeof drawn === 'string') this.#addNamed(drawn, drawable)
      else this.#addListed(drawn.series, drawn.drawn)
  }

  /** Visits every period and what was drawn from it, some of them several times. */
  each(visit: (series: string, period: number, amount: number) => void): void {
    for (const { series, period, amount } of this.#listed) visit(series, period, amount)
    for (const [name, sum] of this.#named) {
      const { series, draws } = this.sets.read(name)
      for (const { period, kind } of draws) visit(series, period, amountDrawn(kind, sum))
    }
  }

  #addNamed(name: string, drawable: Drawable): void {
    const sum = this.#named.get(name)
    if (!sum) return void this.#named.set(name, { ...drawable })
    sum.calls += drawable.calls
    sum.cost += drawable.cost
    sum.promptTokens += drawable.promptTokens
    sum.completionTokens += drawable.completionTokens
    sum.vendorCost += drawable.vendorCost
  }

  /** Ids of periods, each followed by an amount. */
  #addListed(series: string, drawn: readonly number[]): void {
    for (let at = 0; at < drawn.length; at += 2)
      this.#listed.push({ series, period: drawn[at] ?? 0, amount: drawn[at + 1] ?? 0 })
  }
}
