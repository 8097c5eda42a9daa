/*
 * Numbers that are counted on the path of every call, so they are kept as plain numbers; names and labels are put together when
 * they are read.
 */

/** A metric as it stands at a moment: what workers tell one another, and what is written for Prometheus. */
export interface Reading {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several workers become one. */
  readonly merge: 'sum' | 'max'
  readonly samples: readonly Sample[]
}

/** `name{label="value"}`, as Prometheus has it, and the value. */
type Sample = readonly [series: string, value: number]

export interface Series {
  readonly name: string
  /** Of the names of its samples. */
  readonly suffixes: readonly string[]
  readonly labelNames: readonly string[]
  read(): Reading
}

/** What is asked for at the moment it is read. */
export class Gauge implements Series {
  readonly suffixes = ['']
  readonly labelNames = []

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly value: () => number,
    private readonly merge: Reading['merge'] = 'sum',
  ) {}

  read(): Reading {
    const { name, help, merge } = this
    return { name, help, type: 'gauge', merge, samples: [[name, this.value()]] }
  }
}

/** What only grows. */
export class Counted implements Series {
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

  read(): Reading {
    const { name, help, labelNames } = this
    const samples = [...this.#sums].map(([key, value]): Sample => [seriesOf(name, labelsOf(labelNames, key)), value])
    return { name, help, type: 'counter', merge: 'sum', samples }
  }
}

/** How values spread over ranges. */
export class Spread implements Series {
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

  read(): Reading {
    const { name, help, labelNames } = this
    const samples = [...this.#spreads].flatMap(([key, { counts, sum }]): Sample[] => {
      const labels = labelsOf(labelNames, key)
      let total = 0
      const buckets = [...counts].map((count, place): Sample => {
        total += count
        return [seriesOf(`${name}_bucket`, [...labels, ['le', String(this.bounds[place] ?? '+Inf')]]), total]
      })
      return [...buckets, [seriesOf(`${name}_sum`, labels), sum], [seriesOf(`${name}_count`, labels), total]]
    })
    return { name, help, type: 'histogram', merge: 'sum', samples }
  }

  #spreadOf(labels: string) {
    const known = this.#spreads.get(labels)
    if (known) return known
    const made = { counts: new Float64Array(this.bounds.length + 1), sum: 0 }
    this.#spreads.set(labels, made)
    return made
  }
}

type Label = readonly [name: string, value: string]

function labelsOf(names: readonly string[], key: string): Label[] {
  const values = key.split(' ')
  return names.map((name, index) => [name, values[index] ?? ''])
}

const seriesOf = (name: string, labels: readonly Label[]): string =>
  labels.length === 0 ? name : `${name}{${labels.map(([label, value]) => `${label}="${escaped(value)}"`).join(',')}}`

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
