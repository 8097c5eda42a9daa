import { AppError } from '../../platform/app-error'
import { within, type Timers } from '../../platform/time/timers'

/** How long a body may make no progress. */
const stallMs = 10_000

const stalled = Symbol('stalled')

/** Yields the pieces of a body as they arrive. @throws AppError `body.slow` when none arrives for ten seconds. */
export async function* piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timers: Pick<Timers, 'after'>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = body.getReader()
  try {
    for (;;) {
      const reading = reader.read()
      const read = Bun.peek.status(reading) === 'fulfilled' ? await reading : await orStalled(reading, timers)
      if (read === stalled) throw new AppError('body.slow')
      if (read.done) return
      yield read.value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const orStalled = <Value>(reading: Promise<Value>, timers: Pick<Timers, 'after'>): Promise<Value | typeof stalled> =>
  within(timers, stallMs, reading, stalled)
