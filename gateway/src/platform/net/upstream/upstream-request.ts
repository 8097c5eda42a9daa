import type { MessageReader } from '@tollgate/providers'

import type { RequestBody } from './request-body'

/** A POST to an upstream, or the first message of a WebSocket. */
export interface UpstreamRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody
  /** What the address holds in confidence. */
  readonly secrets?: readonly string[]
  /** The address is that of a WebSocket; what comes over it is the response's body by this reader. */
  readonly messages?: MessageReader
  /** http, https or socks5; undefined: directly, or as the environment says. */
  readonly proxy: string | undefined
}
