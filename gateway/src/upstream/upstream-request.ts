/** A POST to an upstream. */
export interface UpstreamRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What the address holds in confidence. */
  readonly secrets?: readonly string[]
  /** http, https or socks5; undefined: directly, or as the environment says. */
  readonly proxy: string | undefined
}
