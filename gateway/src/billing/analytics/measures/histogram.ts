/** Buckets per power of two: a bucket is at most a sixteenth of its value wide. */
const stepBits = 4
const steps = 1 << stepBits
const maxBits = 22

/** An hour and ten minutes, in milliseconds. Longer times count as that. */
export const maxMs = 2 ** maxBits - 1
export const bucketCount = (maxBits - stepBits + 1) * steps

/** Returns the bucket of a time: exact below 16 ms, then in steps that grow with the time. */
export function bucketAt(milliseconds: number): number {
  const ms = Math.min(Math.max(Math.trunc(milliseconds) || 0, 0), maxMs)
  if (ms < steps) return ms
  const shift = 31 - Math.clz32(ms) - stepBits
  return shift * steps + (ms >> shift)
}

/** Returns the shortest time of a bucket, in milliseconds. */
const floorOf = (bucket: number): number => {
  if (bucket < 2 * steps) return bucket
  const shift = Math.floor(bucket / steps) - 1
  return (bucket - shift * steps) * 2 ** shift
}

/** With more buckets than this, an array with an entry for each is smaller and faster. */
const maxFew = 32

/** Counts of times by bucket. Histograms of parts add up to exactly that of the whole, unlike percentiles. */
export class Histogram {
  /** Most histograms are of one call or a few. */
  #few: Map<number, number> | null = null
  #all: Float64Array | null = null
  #total = 0

  get total(): number {
    return this.#total
  }

  add(bucket: number, count: number): void {
    if (count <= 0 || bucket >= bucketCount) return
    this.#total += count
    if (this.#all) this.#all[bucket] = (this.#all[bucket] ?? 0) + count
    else this.#addToFew(bucket, count)
  }

  #addToFew(bucket: number, count: number): void {
    const few = (this.#few ??= new Map())
    few.set(bucket, (few.get(bucket) ?? 0) + count)
    if (few.size <= maxFew) return
    this.#all = new Float64Array(bucketCount)
    for (const [known, sum] of few) this.#all[known] = sum
    this.#few = null
  }

  /** Returns the non-empty buckets, the shortest times first. */
  entries(): [bucket: number, count: number][] {
    if (this.#few) return [...this.#few].toSorted(([one], [other]) => one - other)
    const found: [number, number][] = []
    for (let bucket = 0; this.#all && bucket < bucketCount; bucket += 1) {
      const count = this.#all[bucket] ?? 0
      if (count > 0) found.push([bucket, count])
    }
    return found
  }

  /**
   * Returns the time, in milliseconds, that a share of all times stayed within: at most a sixteenth off. Times are assumed to be evenly
   * spread within a bucket. Null for an empty histogram.
   */
  percentile(share: number): number | null {
    const rank = Math.max(1, Math.ceil(share * this.#total))
    let before = 0
    for (const [bucket, count] of this.entries()) {
      if (before + count < rank) {
        before += count
        continue
      }
      const width = floorOf(bucket + 1) - floorOf(bucket)
      return Math.floor(floorOf(bucket) + (width * (rank - before - 0.5)) / count)
    }
    return null
  }
}
