import type { BatchLineReport, VendorBatch } from '@tollgate/providers'

import { AppError } from '../../../platform/app-error'
import { parseTextInTurns } from '../../../channels/calls/parse-response-object'
import { UpstreamError } from '../../../channels/calls/upstream-error'
import { windowsOf } from '../../../channels/catalog/channel-windows'
import { lineState, waitingLine, type LineBook } from '../../../tasks/batches/batch-lines'
import type { Batch } from '../../../tasks/batches/batch-store'
import type { BatchTerms } from '../../../tasks/batches/batch-terms'
import { settleLine } from '../../../tasks/batches/settle-line'
import { linesOf } from '../../../tasks/files/read-file'
import type { RelayDeps } from '../../call-context'
import { endpointAt } from '../../stages/endpoint'
import { requestIn, resultWriter } from '../line-results'
import type { VendorLines } from './vendor-line'
import type { VendorRequests } from './vendor-requests'

/** A batch at its vendor, whose results are fetched. */
export interface Collecting {
  readonly deps: RelayDeps
  readonly batch: Batch
  readonly book: LineBook
  readonly terms: BatchTerms
  readonly vendor: VendorRequests
  readonly lines: VendorLines
  readonly signal: AbortSignal
}

/** `foreign`: no result is of this batch. */
export type Collected =
  | { readonly kind: 'whole'; readonly isAccountRefused: boolean }
  | { readonly kind: 'foreign' | 'interrupted' }
  | { readonly kind: 'failed'; readonly error: UpstreamError }

/** No vendor responds with more. */
const maxResultBytes = 64 * 1024 * 1024

/**
 * Keeps and charges what the vendor made, line by line as it arrives. A line that has its result already stays as it is; one that was not made
 * waits on, and so does one that failed for a reason of the vendor's, which charges nothing for it. Where a result cannot be read, the others are kept nevertheless. @throws DatabaseUnavailableError.
 */
export async function collectResults(collecting: Collecting, found: VendorBatch): Promise<Collected> {
  const { vendor, signal } = collecting
  const counts = { own: 0, refused: 0, foreign: 0, unreadable: 0 }
  try {
    for (const call of vendor.api.results(found, vendor.target)) {
      const { body } = await vendor.open(call)
      if (!body) continue
      for await (const { text } of linesOf(body, maxResultBytes)) {
        if (signal.aborted) return { kind: 'interrupted' }
        counts[await keep(collecting, text)] += 1
      }
    }
  } catch (cause) {
    const isOfVendor =
      cause instanceof UpstreamError ||
      cause instanceof TypeError ||
      (cause instanceof AppError && cause.code === 'file.line_long')
    if (!isOfVendor && !isBrokenOff(cause)) throw cause
    const message = cause instanceof Error ? cause.message : 'The results broke off'
    const error =
      cause instanceof UpstreamError ? cause : new UpstreamError({ fault: 'malformed', status: 502, message, cause })
    return { kind: 'failed', error }
  }
  if (counts.unreadable > 0) {
    const message = `${counts.unreadable} results cannot be read`
    return { kind: 'failed', error: new UpstreamError({ fault: 'malformed', status: 502, message }) }
  }
  const { own, refused } = counts
  return own + refused === 0 ? { kind: 'foreign' } : { kind: 'whole', isAccountRefused: refused > 0 }
}

/** Errors of the runtime while it reads a response. */
const isBrokenOff = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause.name === 'TimeoutError' || ('code' in cause && /^(?:ECONN|ERR_|Connection)/.test(String(cause.code))))

/** Resolves with whether the result was one of this batch; `refused`: the vendor says that the account may make no more calls. */
async function keep(
  { deps, batch, book, terms, vendor, lines }: Collecting,
  text: string,
): Promise<'own' | 'refused' | 'foreign' | 'unreadable'> {
  const { ctx } = deps
  const { row: batchRow, task } = batch
  const report = await reportIn(vendor, text)
  if (!report) return 'unreadable'
  const line = lines.lineOf(report.id)
  if (line === null) return 'foreign'
  const row = report.kind === 'undone' ? undefined : await waitingLine(ctx.database.query, task.public_id, line)
  if (!row || report.kind === 'undone') return 'own'
  const request = requestIn(book.open(line, lineState.waiting, row.content))
  const outcome = await lines.read(row, request, report)
  if (outcome.kind === 'again') return outcome.isAccountRefused ? 'refused' : 'own'
  const { end, charge } = outcome
  const write = resultWriter(batchRow.dialect, endpointAt(batchRow.endpoint)?.endpoint.dialect ?? 'openai-chat')
  await settleLine(ctx, batch, row, {
    text: write(request, lines.idOf(line), end),
    charge,
    windows: charge ? (windowsOf(ctx.catalog.current, vendor.account) ?? []) : [],
    book,
    terms,
  })
  return 'own'
}

async function reportIn({ api }: VendorRequests, text: string): Promise<BatchLineReport | null> {
  try {
    return api.readLine(await parseTextInTurns(text))
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return null
    throw error
  }
}
