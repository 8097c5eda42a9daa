import type { priceSyncRoutes } from '@tollgate/contract'
import { parseAnswer } from '@tollgate/dialects'

import type { Context } from '../../context'
import { OutboundRefused, OutboundTimeout } from '../../platform/net/outbound/outbound'
import { readBounded, ResponseTooLarge } from '@tollgate/http-client'

/** A source could not be read. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  constructor(
    readonly failure: priceSyncRoutes.SourceFailure,
    readonly status: number | null = null,
  ) {
    super(`The source of prices could not be read: ${failure}`)
  }
}

const timeoutMs = 60_000
/** The largest list has 2 MB today. */
const maxBytes = 16 * 1024 * 1024

/** Reads a public list through the outbound worker, as its address was entered by a person. @throws SourceError */
export async function readList({ outbound }: Pick<Context, 'outbound'>, url: string): Promise<unknown> {
  const headers = { accept: 'application/json' }
  const request = { method: 'GET', url, headers, timeoutMs, maxBytes: maxBytes + 1 } as const
  const response = await outbound.send(request).catch((error: unknown) => {
    if (error instanceof OutboundRefused) throw new SourceError('address')
    throw new SourceError(error instanceof OutboundTimeout ? 'timeout' : 'unreachable')
  })
  if (response.status !== 200) throw new SourceError('status', response.status)
  return jsonIn(response.body)
}

const gatewayTimeoutMs = 15_000

/** Reads a page of the gateway behind a channel, whose address is the operator's own, without any key. @throws SourceError */
export async function readGateway(
  { fetch }: Pick<Context, 'fetch'>,
  url: string,
  proxy: string | undefined,
): Promise<unknown> {
  const signal = AbortSignal.timeout(gatewayTimeoutMs)
  try {
    const response = await fetch(url, { signal, redirect: 'manual', ...(proxy && { proxy }) })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new SourceError('status', response.status)
    }
    return jsonIn(await readBounded(response, maxBytes))
  } catch (error) {
    if (error instanceof SourceError) throw error
    if (error instanceof ResponseTooLarge) throw new SourceError('too_large')
    throw new SourceError(signal.aborted ? 'timeout' : 'unreachable')
  }
}

function jsonIn(body: Uint8Array): unknown {
  if (body.length > maxBytes) throw new SourceError('too_large')
  try {
    return parseAnswer(new TextDecoder().decode(body))
  } catch {
    throw new SourceError('malformed')
  }
}

/** The outcome of reading a source. */
export interface Reading {
  readonly failure: SourceError['failure'] | ''
  readonly status: number | null
  readonly models: number
}
