import type { Logger } from 'pino'

import { BatchQueue } from '../../batching/batch-queue'
import { WaitingList } from '../../batching/waiting-list'
import { messageOf } from '../../text/message-of'
import { within, type Timers } from '../../time/timers'
import type { Span } from './otlp'

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly encode: (spans: readonly Span[]) => string
  readonly log: Logger
  readonly onDropped: (count: number) => void
  readonly intervalMs: number
  readonly timers: Timers
}

export interface Exporter {
  add(spans: readonly Span[]): void
  /** Sends what waits, once. */
  close(): Promise<void>
}

/** A few megabytes. */
const maxWaiting = 4096
const maxAtOnce = 512
const timeoutMs = 5000
const closeTimeoutMs = 3000

/**
 * Sends spans in batches to a collector. While it is away spans wait, the oldest of too many are dropped and counted, and no
 * call waits for it.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { log, onDropped, intervalMs, timers } = options
  let isClosing = false
  let isRefused = false
  const warn = (reason: string) => log.warn({ reason }, 'traces do not reach their collector')
  const list = new WaitingList<Span>({ maxEntries: maxWaiting, onDropped: ({ length }) => onDropped(length) })

  async function write(batch: readonly Span[]): Promise<void> {
    const failure = await post(options, batch)
    if (failure && !failure.isLasting && !isClosing) throw new Error(failure.reason)
    if (failure) onDropped(batch.length)
    if (failure && !isRefused) warn(failure.reason)
    isRefused = failure !== null
  }
  const queue = new BatchQueue<Span>({
    source: list,
    write,
    maxAtOnce,
    gatherMs: intervalMs,
    backOff: { minMs: intervalMs, maxMs: intervalMs },
    timers,
    onFailure(error, failures) {
      if (failures === 1) warn(messageOf(error))
    },
    onRecovered: () => log.info('traces reach their collector again'),
  })

  return {
    add(spans) {
      for (const span of spans) list.add(span)
      queue.wake()
    },
    async close() {
      isClosing = true
      await within(timers, closeTimeoutMs, queue.whenIdle(), undefined)
      void queue.stop()
    },
  }
}

interface Failed {
  readonly reason: string
  /** Sending it again would fail again. */
  readonly isLasting: boolean
}

/** Null when the collector took them. */
async function post({ url, headers, fetch, encode }: ExporterOptions, batch: readonly Span[]): Promise<Failed | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: encode(batch),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return null
    const isLasting = response.status < 500 && response.status !== 429 && response.status !== 408
    return { reason: `status ${response.status}`, isLasting }
  } catch (error) {
    // Its message may contain the address with its credentials.
    return { reason: error instanceof Error ? error.name : 'unknown', isLasting: false }
  }
}
