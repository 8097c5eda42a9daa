import type { Cancellation } from './cancellation'
import { ConnectTimeout } from './connection'
import type { ByteReader, Bytes } from './response-body'
import type { UpstreamResponse } from './exchange'
import type { Reachability } from './reachability'
import type { UpstreamRequest } from './upstream-request'
import type { Timers } from './time'

/**
 * Sends through a proxy with the runtime's own client. It does not report when a connection is established, so a late response is
 * investigated: after half of the connect timeout the proxy is probed.
 */
export function createProxied(reachability: Reachability, timers: Timers, connectTimeoutMs: number) {
  return async (
    { url, headers, body, proxy }: UpstreamRequest,
    cancellation: Cancellation,
  ): Promise<UpstreamResponse> => {
    const unreachable = new AbortController()
    let hasResponded = false
    const probe = async () => {
      const canConnect = await reachability.canConnect(proxy ?? url, connectTimeoutMs / 2)
      // The head may have arrived while the proxy was probed: then the connection was established.
      if (!canConnect && !hasResponded) unreachable.abort(new ConnectTimeout())
    }
    const cancel = timers.after(connectTimeoutMs / 2, () => void probe())
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
      hasResponded = true
      cancel()
    }
  }
}

const readerOf = ({ body }: Response): ByteReader<Bytes> => body?.getReader() ?? emptyBody

const emptyBody: ByteReader<Bytes> = {
  read: () => Promise.resolve({ done: true }),
  cancel: () => Promise.resolve(),
}
