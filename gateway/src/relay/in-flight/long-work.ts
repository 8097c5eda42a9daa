import type { InFlight } from './in-flight'

/** As much is worth a collection, which takes some twenty milliseconds. */
const worthBytes = 3 * 1024 * 1024
/** What the objects of a step take besides its bytes. */
const stepBytes = 16 * 1024

/**
 * Work over many bytes: an upload, or the calls of a batch. What its steps leave behind lives too long for quick collections and would wait for a full one until
 * the heap has doubled. It is collected every few megabytes, while no other call has to wait for that.
 */
export class LongWork {
  #bytes = 0

  constructor(
    private readonly inFlight: Pick<InFlight, 'count'>,
    /** Blocks everything meanwhile. */
    private readonly collect: () => void = () => Bun.gc(true),
  ) {}

  /** Called after each step. `ownCalls`: how many of the calls in flight are the work's own. */
  step(bytes: number, ownCalls: number): void {
    this.#bytes += bytes + stepBytes
    if (this.#bytes < worthBytes || this.inFlight.count > ownCalls) return
    this.#bytes = 0
    this.collect()
  }
}
