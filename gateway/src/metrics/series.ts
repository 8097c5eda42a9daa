import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/*
 * Numbers that are counted on the path of every call, kept as plain numbers and told as the metrics library tells its own. The
 * library's counters hash their labels at each step, which costs more than all the counting here.
 */

type Told = MetricObjectWithValues<MetricValue<string>>
type Labels = Readonly<Record<string, string>>

/** What only grows. */
export class Counted {
  readonly suffixes = ['']
  readonly #sums = new Map<string, number>()

  constructor(
    readonly name: string,
    private readonly help: string,
    readonly labelNames: readonly string[] = [],
  ) {}

  /** `labels`: the values of the labels in their order, one blank between. */
  add(labels = '', amount = 1): void {
    this.#sums.set(labels, (this.#sums.get(labels) ?? 0) + amount)
  }

  told(): Told {
    const values = [...this.#sums].map(([key, value]) => ({ value, labels: labelsOf(this.labelNames, key) }))
    return { name: this.name, help: this.help, type: 'counter', aggregator: 'sum', values } as unknown as Told
  }
}

/** How values spread over ranges. */
export class Spread {
  readonly suffixes = ['_bucket', '_sum', '_count']
  readonly #spreads = new Map<string, { readonly counts: Float64Array; sum: number }>()

  constructor(
    readonly name: string,
    private readonly help: string,
    /** Upper bounds, ascending. */
    private readonly bounds: readonly number[],
    readonly labelNames: readonly string[] = [],
  ) {}

  observe(value: number, labels = ''): void {
    const spread = this.#spreadOf(labels)
    let place = 0
    while (place < this.bounds.length && value > (this.bounds[place] ?? Infinity)) place += 1
    spread.counts[place] = (spread.counts[place] ?? 0) + 1
    spread.sum += value
  }

  told(): Told {
    const values = [...this.#spreads].flatMap(([key, { counts, sum }]) => {
      const labels = labelsOf(this.labelNames, key)
      let total = 0
      const buckets = [...counts].map((count, place) => {
        total += count
        const le = this.bounds[place] ?? '+Inf'
        return { value: total, labels: { ...labels, le }, metricName: `${this.name}_bucket` }
      })
      return [
        ...buckets,
        { value: sum, labels, metricName: `${this.name}_sum` },
        { value: total, labels, metricName: `${this.name}_count` },
      ]
    })
    return { name: this.name, help: this.help, type: 'histogram', aggregator: 'sum', values } as unknown as Told
  }

  #spreadOf(labels: string) {
    const known = this.#spreads.get(labels)
    if (known) return known
    const made = { counts: new Float64Array(this.bounds.length + 1), sum: 0 }
    this.#spreads.set(labels, made)
    return made
  }
}

function labelsOf(names: readonly string[], key: string): Labels {
  const values = key.split(' ')
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}
