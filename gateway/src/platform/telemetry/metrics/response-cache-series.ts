import { Counted, type Series } from './series'

/** What hits of the response cache saved, in quota. */
export interface Saved {
  /** What callers would have paid for the same responses of channels, less what the hits cost them. */
  readonly price: number
  /** What vendors would have charged for them, where that is known. */
  readonly vendorCost: number
}

/** Counts what the response cache does in this worker. */
export class ResponseCacheSeries {
  readonly #lookUps = new Counted(
    'tollgate_response_cache_calls_total',
    'Calls that take part in the response cache: served from it (hit), or by a channel (miss).',
    ['outcome'],
    ['hit', 'miss'],
  )
  readonly #stored = new Counted('tollgate_response_cache_stored_total', 'Responses that were stored.')
  readonly #savedPrice = new Counted(
    'tollgate_response_cache_saved_quota_total',
    'What callers would have paid for responses from the cache at channels, less what they paid.',
  )
  readonly #savedCost = new Counted(
    'tollgate_response_cache_saved_cost_quota_total',
    'What vendors would have charged for responses from the cache, in quota, where that is known.',
  )
  #hits = 0
  #misses = 0
  #price = 0
  #vendorCost = 0

  get series(): readonly Series[] {
    return [this.#lookUps, this.#stored, this.#savedPrice, this.#savedCost]
  }

  /** What was counted since the start of the worker. */
  get totals() {
    return { hits: this.#hits, misses: this.#misses, savedPrice: this.#price, savedCost: this.#vendorCost }
  }

  countMiss(): void {
    this.#misses += 1
    this.#lookUps.add('miss')
  }

  countHit({ price, vendorCost }: Saved): void {
    this.#hits += 1
    this.#price += price
    this.#vendorCost += vendorCost
    this.#lookUps.add('hit')
    this.#savedPrice.add('', price)
    this.#savedCost.add('', vendorCost)
  }

  countStored(): void {
    this.#stored.add()
  }
}
