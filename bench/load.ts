import type { Socket } from 'bun'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  /** The complete request, sent again and again. */
  readonly request: Buffer
  /** New calls are made for so long; those under way are awaited. */
  readonly milliseconds: number
  /** An upper bound whatever the time. */
  readonly mostCalls: number
}

export interface LoadResult {
  readonly calls: number
  /** Answers with another status than 200, and connections that broke. */
  readonly failures: number
  readonly seconds: number
  /** Milliseconds, ascending: to the last byte and to the first byte of the body. */
  readonly latencies: Float64Array
  readonly firstBytes: Float64Array
}

/** Keep so many connections busy, one call after the other on each. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const run = new Run(options)
  const started = performance.now()
  await Promise.all(Array.from({ length: options.connections }, () => run.connect()))
  const seconds = (performance.now() - started) / 1000
  return {
    calls: run.latencies.length,
    failures: run.failures,
    seconds,
    latencies: Float64Array.from(run.latencies).sort(),
    firstBytes: Float64Array.from(run.firstBytes).sort(),
  }
}

/** The value below which the given share of the sorted values lies; 0 of none. */
export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

class Run {
  readonly latencies: number[] = []
  readonly firstBytes: number[] = []
  failures = 0
  #begun = 0
  readonly #deadline: number

  constructor(private readonly options: LoadOptions) {
    this.#deadline = performance.now() + options.milliseconds
  }

  mayBegin(): boolean {
    if (this.#begun >= this.options.mostCalls || performance.now() >= this.#deadline) return false
    this.#begun += 1
    return true
  }

  async connect(): Promise<void> {
    const done = Promise.withResolvers<void>()
    await Bun.connect<Caller>({
      hostname: '127.0.0.1',
      port: this.options.port,
      socket: {
        open: (socket) => {
          socket.setNoDelay(true)
          socket.data = new Caller(this, socket, this.options.request)
          socket.data.begin()
        },
        data: (socket, bytes) => socket.data.received(bytes),
        close: (socket) => {
          if (socket.data.isBusy) this.failures += 1
          done.resolve()
        },
        connectError: () => {
          this.failures += 1
          done.resolve()
        },
      },
    })
    return done.promise
  }
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/** One connection: reads just enough HTTP to know when an answer is over. */
class Caller {
  isBusy = false
  #begunAt = 0
  #head: Buffer = Buffer.alloc(0)
  #hasHead = false
  #hasBody = false
  /** Bytes of the body still to come; -1: chunked. */
  #missing = 0
  #tail: Buffer = Buffer.alloc(0)

  constructor(
    private readonly run: Run,
    private readonly socket: Socket<Caller>,
    private readonly request: Buffer,
  ) {}

  begin(): void {
    this.isBusy = this.run.mayBegin()
    if (!this.isBusy) {
      this.socket.end()
      return
    }
    this.#head = Buffer.alloc(0)
    this.#hasHead = false
    this.#hasBody = false
    this.#begunAt = performance.now()
    this.socket.write(this.request)
  }

  received(bytes: Buffer): void {
    const body = this.#hasHead ? bytes : this.#readHead(bytes)
    if (body === null) return
    if (!this.#hasBody && body.length > 0) {
      this.#hasBody = true
      this.run.firstBytes.push(performance.now() - this.#begunAt)
    }
    if (this.#isOver(body)) this.#finish()
  }

  #readHead(bytes: Buffer): Buffer | null {
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const end = this.#head.indexOf(headEnd)
    if (end < 0) return null
    const head = this.#head.toString('latin1', 0, end).toLowerCase()
    if (!head.startsWith('http/1.1 200')) this.run.failures += 1
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
    this.#missing = length === undefined ? -1 : Number(length)
    this.#tail = Buffer.alloc(0)
    this.#hasHead = true
    return this.#head.subarray(end + headEnd.length)
  }

  #isOver(body: Buffer): boolean {
    if (this.#missing >= 0) {
      this.#missing -= body.length
      return this.#missing <= 0
    }
    this.#tail =
      body.length >= lastChunk.length
        ? body.subarray(-lastChunk.length)
        : Buffer.concat([this.#tail, body]).subarray(-lastChunk.length)
    return this.#tail.equals(lastChunk)
  }

  #finish(): void {
    this.run.latencies.push(performance.now() - this.#begunAt)
    this.begin()
  }
}
