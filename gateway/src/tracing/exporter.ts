import type { Logger } from 'pino'

import type { Span } from './span'

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly encode: (spans: readonly Span[]) => string
  readonly log: Logger
  readonly onDropped: (count: number) => void
  readonly intervalMs: number
}

export interface Exporter {
  add(spans: readonly Span[]): void
  /** Send what waits, once. */
  close(): Promise<void>
}

/** A few megabytes. */
const mostWaiting = 4096
const mostAtOnce = 512
const timeoutMs = 5000
const closeTimeoutMs = 3000

/**
 * Sends spans in batches to a collector. One that is away keeps what comes until the queue is full; then new spans are dropped
 * and counted. Nobody ever waits for it.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { log, onDropped } = options
  let waiting: Span[] = []
  let sending: Promise<void> | null = null
  let isFailing = false

  async function send(milliseconds: number): Promise<void> {
    const batch = waiting.splice(0, mostAtOnce)
    if (batch.length === 0) return
    const outcome = await post(options, batch, milliseconds)
    if (outcome === 'sent') {
      if (isFailing) log.info('traces reach their collector again')
      isFailing = false
      return
    }
    if (!isFailing) log.warn({ reason: outcome.reason }, 'traces do not reach their collector')
    isFailing = true
    const kept = outcome.isLasting ? [] : batch.slice(0, mostWaiting - waiting.length)
    waiting = [...kept, ...waiting]
    if (kept.length < batch.length) onDropped(batch.length - kept.length)
  }

  /** One request at a time; a failed one ends the round. */
  async function sendAll(): Promise<void> {
    do await send(timeoutMs)
    while (waiting.length >= mostAtOnce && !isFailing)
    sending = null
  }
  const flush = () => void (sending ??= sendAll())
  const timer = setInterval(flush, options.intervalMs)
  timer.unref()

  return {
    add(spans) {
      const room = Math.max(0, mostWaiting - waiting.length)
      waiting.push(...spans.slice(0, room))
      if (spans.length > room) onDropped(spans.length - room)
      if (waiting.length >= mostAtOnce && !isFailing) flush()
    },
    async close() {
      clearInterval(timer)
      const deadline = performance.now() + closeTimeoutMs
      await Promise.race([sending, Bun.sleep(closeTimeoutMs)])
      isFailing = false
      while (waiting.length > 0 && !isFailing && performance.now() < deadline) {
        await send(Math.max(1, deadline - performance.now()))
      }
      if (waiting.length > 0) onDropped(waiting.length)
      waiting = []
    },
  }
}

interface Failed {
  readonly reason: string
  /** Sending it again would fail again. */
  readonly isLasting: boolean
}

async function post(
  { url, headers, fetch, encode }: ExporterOptions,
  batch: readonly Span[],
  milliseconds: number,
): Promise<'sent' | Failed> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: encode(batch),
      redirect: 'manual',
      signal: AbortSignal.timeout(milliseconds),
    })
    await response.body?.cancel()
    if (response.ok) return 'sent'
    const isLasting = response.status < 500 && response.status !== 429 && response.status !== 408
    return { reason: `status ${response.status}`, isLasting }
  } catch (error) {
    // Its message may hold the address with its credentials.
    return { reason: error instanceof Error ? error.name : 'unknown', isLasting: false }
  }
}
