import type { BatchLineReport, TaskCall, VendorBatch } from '@tollgate/providers'

import { AppError } from '../../../platform/app-error'
import { parseTextInTurns } from '../../../channels/calls/parse-response-object'
import { UpstreamError } from '../../../channels/calls/upstream-error'
import { linesOf } from '../../../tasks/files/read-file'
import type { LongWork } from '../../in-flight/long-work'
import type { VendorRequests } from './vendor-requests'

/** No vendor responds with more. */
const maxResultBytes = 64 * 1024 * 1024
const notFound = 404

/**
 * Yields what a vendor reports of the calls of a batch that has ended; null for a result that cannot be read. `name`: that of the gateway for the batch.
 * @throws UpstreamError.
 */
export async function* reportsOf(
  vendor: VendorRequests,
  name: string,
  found: VendorBatch,
  work: LongWork,
): AsyncGenerator<BatchLineReport | null, void> {
  try {
    for (const call of vendor.api.results(found, vendor.target)) {
      const body = await openResults(vendor, call, found)
      if (!body) continue
      for await (const { text } of linesOf(body, maxResultBytes)) {
        yield await reportIn(vendor, name, text)
        work.step(text.length, 0)
      }
    }
  } catch (cause) {
    if (cause instanceof UpstreamError || !isOfVendor(cause)) throw cause
    const message = cause instanceof Error ? cause.message : 'The results broke off'
    throw new UpstreamError({ fault: 'malformed', status: 502, message, cause })
  }
}

/** Resolves with null where there are none. */
async function openResults(vendor: VendorRequests, call: TaskCall, { isCutShort = false }: VendorBatch) {
  try {
    return (await vendor.open(call)).body
  } catch (error) {
    if (isCutShort && error instanceof UpstreamError && error.status === notFound) return null
    throw error
  }
}

async function reportIn({ api }: VendorRequests, name: string, text: string): Promise<BatchLineReport | null> {
  try {
    return api.readLine(await parseTextInTurns(text), name)
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return null
    throw error
  }
}

const isOfVendor = (cause: unknown): boolean =>
  cause instanceof TypeError || (cause instanceof AppError && cause.code === 'file.line_long') || isBrokenOff(cause)

/** Errors of the runtime while it reads a response. */
const isBrokenOff = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause.name === 'TimeoutError' || ('code' in cause && /^(?:ECONN|ERR_|Connection)/.test(String(cause.code))))
