import type { Cancellation } from './cancellation'
import { ConnectTimeout } from './connection'
import type { ByteReader, Bytes } from './answer-body'
import type { UpstreamAnswer } from './exchange'
import type { Reach } from './reach'
import type { UpstreamRequest } from './upstream-request'

/**
 * Send through a proxy, which the runtime's own client knows how to do. It does not tell when a connection stands, so an answer
 * that is late is looked into: after half of the time for connecting the proxy is tried.
 */
export function createProxied(reach: Reach, connectTimeoutMs: number) {
  return async (
    { url, headers, body, proxy }: UpstreamRequest,
    cancellation: Cancellation,
  ): Promise<UpstreamAnswer> => {
    const unreachable = new AbortController()
    let isAnswered = false
    const look = async () => {
      const canConnect = await reach.canConnect(proxy ?? url, connectTimeoutMs / 2)
      // The head may have come while the proxy was tried: then the connection stood.
      if (!canConnect && !isAnswered) unreachable.abort(new ConnectTimeout())
    }
    const timer = setTimeout(() => void look(), connectTimeoutMs / 2)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.any([cancellation.signal, unreachable.signal]),
        redirect: 'manual',
        proxy,
        // Whoever sends has clocks of its own.
        timeout: false,
      })
      return { status: response.status, headers: response.headers, body: readerOf(response) }
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }
}

const readerOf = ({ body }: Response): ByteReader<Bytes> => body?.getReader() ?? noBody

const noBody: ByteReader<Bytes> = {
  read: () => Promise.resolve({ done: true }),
  cancel: () => Promise.resolve(),
}
