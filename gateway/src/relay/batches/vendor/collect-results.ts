import type { BatchLineReport, VendorBatch } from '@tollgate/providers'

import { UpstreamError } from '../../../channels/calls/upstream-error'
import { windowsOf } from '../../../channels/catalog/channel-windows'
import { lineState, waitingLine, type LineBook } from '../../../tasks/batches/batch-lines'
import type { Batch } from '../../../tasks/batches/batch-store'
import type { BatchTerms } from '../../../tasks/batches/batch-terms'
import { settleLine } from '../../../tasks/batches/settle-line'
import type { RelayDeps } from '../../call-context'
import { endpointAt } from '../../stages/endpoint'
import { LongWork } from '../../in-flight/long-work'
import { requestIn, resultWriter } from '../line-results'
import { reportsOf } from './result-reports'
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

export type Collected =
  | { readonly kind: 'whole'; readonly isAccountRefused: boolean }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly error: UpstreamError }

/**
 * Keeps and charges what the vendor made, line by line as it arrives. A line that has its result already stays as it is; one that was not made
 * waits on, and so does one that failed for a reason of the vendor's, which charges nothing for it. Where a result cannot be read, the others are kept nevertheless. @throws DatabaseUnavailableError.
 */
export async function collectResults(collecting: Collecting, found: VendorBatch): Promise<Collected> {
  const { batch, vendor, signal } = collecting
  const work = new LongWork(collecting.deps.inFlight)
  const counts = { own: 0, refused: 0, foreign: 0, unreadable: 0 }
  try {
    for await (const report of reportsOf(vendor, batch.task.public_id, found, work)) {
      if (signal.aborted) return { kind: 'interrupted' }
      counts[report ? await keep(collecting, report) : 'unreadable'] += 1
    }
  } catch (error) {
    if (error instanceof UpstreamError) return { kind: 'failed', error }
    throw error
  }
  if (counts.unreadable > 0) {
    const message = `${counts.unreadable} results cannot be read`
    return { kind: 'failed', error: new UpstreamError({ fault: 'malformed', status: 502, message }) }
  }
  return { kind: 'whole', isAccountRefused: counts.refused > 0 }
}

/** Resolves with whether the result was one of this batch; `refused`: the vendor says that the account may make no more calls. */
async function keep(
  { deps, batch, book, terms, vendor, lines }: Collecting,
  report: BatchLineReport,
): Promise<'own' | 'refused' | 'foreign'> {
  const { ctx } = deps
  const { row: batchRow, task } = batch
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
