import { tokenStatus } from '@tollgate/contract'

import { webAddress } from '../../lib/web-address'

interface Template {
  /** With `{key}` and `{address}`. */
  readonly template: string
  /** Without `sk-`. */
  readonly key: string
  /** Of the gateway. */
  readonly address: string
}

/** The address of a chat page for a key, or nothing when the configured one is none that a browser may open. */
export function chatLink({ template, key, address }: Template): string | undefined {
  const filled = template
    .replaceAll('{key}', encodeURIComponent(`sk-${key}`))
    .replaceAll('{address}', encodeURIComponent(address))
  return webAddress(filled)
}

/** The key of the first token that works. */
export const firstKey = (tokens: readonly { readonly status: number; readonly key: string }[]): string | undefined =>
  tokens.find(({ status }) => status === tokenStatus.enabled)?.key
