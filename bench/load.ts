import { Caller } from './caller'
import { LoadRun, type LoadOptions } from './load-run'

export interface LoadResult {
  readonly calls: number
  /** Responses with a status other than 200, and broken connections. */
  readonly failures: number
  readonly seconds: number
  /** Milliseconds, ascending: to the last byte and to the first token of the text. */
  readonly latencies: Float64Array
  readonly firstTokens: Float64Array
  /** Milliseconds, ascending: by how much the time between two reads of a stream exceeded its pace. */
  readonly lateness: Float64Array
}

/** Keeps this many connections busy, one call after another on each. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const run = new LoadRun(options)
  const started = performance.now()
  const stepMs = (options.spreadMs ?? 0) / options.connections
  await Promise.all(Array.from({ length: options.connections }, (_, index) => work(run, index * stepMs)))
  const seconds = (performance.now() - started) / 1000
  return {
    calls: run.calls,
    failures: run.failures,
    seconds,
    latencies: Float64Array.from(run.latencies).sort(),
    firstTokens: Float64Array.from(run.firstTokens).sort(),
    lateness: Float64Array.from(run.lateness).sort(),
  }
}

/** One connection; another after it when calls end theirs. One that is refused was the last. */
async function work(run: LoadRun, delayMs: number): Promise<void> {
  if (delayMs > 0) await Bun.sleep(delayMs)
  let isServed = await connect(run)
  while (run.options.leavesEarly && isServed && !run.isOver()) isServed = await connect(run)
}

/** Whether there was a connection, once it is over. */
async function connect(run: LoadRun): Promise<boolean> {
  const done = Promise.withResolvers<boolean>()
  const connecting = Bun.connect<Caller>({
    hostname: '127.0.0.1',
    port: run.options.port,
    socket: {
      open: (socket) => {
        socket.setNoDelay(true)
        socket.data = new Caller(run, socket)
        socket.data.begin()
      },
      data: (socket, bytes) => socket.data.receive(bytes),
      drain: (socket) => socket.data.send(),
      close: (socket) => {
        if (socket.data.isBusy) run.failures += 1
        done.resolve(true)
      },
    },
  })
  connecting.catch(() => {
    run.failures += 1
    done.resolve(false)
  })
  return done.promise
}
