export interface LoadOptions {
  readonly port: number
  readonly connections: number
  /** The complete request, sent again and again. */
  readonly request: Buffer
  /** New calls are made for this long; calls in flight are awaited. */
  readonly milliseconds: number
  /** An upper bound whatever the time. */
  readonly maxCalls: number
  /** Milliseconds between two calls of a connection. Default 0. */
  readonly pauseMs?: number
  /** Milliseconds over which the connections begin, one after the other. Default 0: all in one moment. */
  readonly spreadMs?: number
  /** Milliseconds between the frames that the upstream sends. Without it nothing is learnt of lateness. */
  readonly paceMs?: number
  /** Each call breaks its connection after some reads of the answer. */
  readonly leavesEarly?: boolean
}

/** What the connections of one load share. */
export class LoadRun {
  calls = 0
  failures = 0
  readonly latencies: number[] = []
  readonly firstTokens: number[] = []
  readonly lateness: number[] = []
  #started = 0
  readonly #deadline: number

  constructor(readonly options: LoadOptions) {
    this.#deadline = performance.now() + options.milliseconds
  }

  /** The number of the next call, from 1; 0 when no more should begin. */
  begin(): number {
    if (this.isOver()) return 0
    this.#started += 1
    return this.#started
  }

  isOver(): boolean {
    return this.#started >= this.options.maxCalls || performance.now() >= this.#deadline
  }
}
