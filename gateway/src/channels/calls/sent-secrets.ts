import { dialects } from '@tollgate/dialects'
import { isPlainLoginHeader } from '@tollgate/providers'

import type { UpstreamRequest } from '@tollgate/http-client'

/** Headers whose values are not secret: of the protocol, of the gateway, and those that clients of a dialect send. */
const plainHeaders: ReadonlySet<string> = new Set(
  [
    'accept',
    'accept-encoding',
    'anthropic-version',
    'content-type',
    'http-referer',
    'traceparent',
    'tracestate',
    'user-agent',
    'x-amz-date',
    'x-api-resource-id',
    'x-dashscope-sse',
    'x-tc-action',
    'x-tc-timestamp',
    'x-tc-version',
    'x-title',
    ...Object.values(dialects).flatMap(({ headers }) => headers ?? []),
  ].map((name) => name.toLowerCase()),
)

/** Returns whether the values of a header are not secret. */
export function isPlainHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return plainHeaders.has(lower) || isPlainLoginHeader(lower)
}

/** Returns the secrets sent to an upstream: keys, tokens and signatures, in whatever header or parameter they were sent. */
export const sentSecrets = ({ headers, secrets = [] }: Pick<UpstreamRequest, 'headers' | 'secrets'>): string[] => [
  ...Object.entries(headers).flatMap(([name, value]) => (isPlainHeader(name) ? [] : [value])),
  ...secrets,
]
