import type { Cancellation } from './cancellation'
import { ConnectTimeout } from './connection'
import type { ByteReader, Bytes } from './answer-body'
import type { UpstreamAnswer } from './exchange'
import type { Reach } from './reach'
import type { UpstreamRequest } from './upstream-request'
import type { Timers } from '../../time/timers'

/**
 * Sends through a proxy with the runtime's own client. It does not report when a connection is established, so a late response is
 * investigated: after half of the connect timeout the proxy is probed.
 */
export function createProxied(reach: Reach, timers: Timers, connectTimeoutMs: number) {
  return async (
    { url, headers, body, proxy }: UpstreamRequest,
    cancellation: Cancellation,
  ): Promise<UpstreamAnswer> => {
    const unreachable = new AbortController()
    let isAnswered = false
    const look = async () => {
      const canConnect = await reach.canConnect(proxy ?? url, connectTimeoutMs / 2)
      // The head may have arrived while the proxy was probed: then the connection was established.
      if (!canConnect && !isAnswered) unreachable.abort(new ConnectTimeout())
    }
    const cancel = timers.after(connectTimeoutMs / 2, () => void look())
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : new Blob([...body]),
        signal: AbortSignal.any([cancellation.signal, unreachable.signal]),
        redirect: 'manual',
        proxy,
        // The caller has timeouts of its own.
        timeout: false,
      })
      return { status: response.status, headers: response.headers, body: readerOf(response) }
    } finally {
      isAnswered = true
      cancel()
    }
  }
}

const readerOf = ({ body }: Response): ByteReader<Bytes> => body?.getReader() ?? emptyBody

const emptyBody: ByteReader<Bytes> = {
  read: () => Promise.resolve({ done: true }),
  cancel: () => Promise.resolve(),
}
