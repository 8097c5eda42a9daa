import type { VendorBatch } from '@tollgate/providers'

import { UpstreamError } from '../../../channels/calls/upstream-error'
import { batchRow } from '../../../tasks/batches/batch-store'
import { readVendorState } from '../../../tasks/batches/vendor-state'
import { LongWork } from '../../in-flight/long-work'
import { maxFetches, maxTries, type BatchAtVendor, type StepOutcome } from './batch-at-vendor'
import { reportsOf } from './result-reports'
import { isGone, type VendorRequests } from './vendor-requests'

/** Clocks of vendors differ. */
const skewMs = 300_000

/** Looks for a batch whose response was lost, where the vendor says of each of its batches whose it is. */
export async function findBatch(
  at: BatchAtVendor,
  vendor: VendorRequests,
  isOwn: (batch: VendorBatch) => boolean,
): Promise<StepOutcome> {
  const { api, target } = vendor
  const reply = await vendor.send(api.list(target), api.readList)
  if (reply.kind !== 'done') return at.retryLater({ kind: 'lost', error: reply.error }, vendor)
  const [found] = await notOfOthers(at, reply.value.filter(isOwn))
  return found ? acceptBatch(at, found, vendor) : sendAgain(at, vendor)
}

/** Finds a batch without a name: one of the same time and length, whose results name these calls. None is touched, nor are the calls sent again, before. */
export async function findByResults(at: BatchAtVendor, vendor: VendorRequests): Promise<StepOutcome> {
  const { candidateIds } = at.state
  return candidateIds.length > 0 ? queryCandidates(at, vendor, candidateIds) : listCandidates(at, vendor)
}

async function listCandidates(at: BatchAtVendor, vendor: VendorRequests): Promise<StepOutcome> {
  const { api, target } = vendor
  const { sentAt, lines } = at.state
  const reply = await vendor.send(api.list(target), api.readList)
  if (reply.kind !== 'done') return at.retryLater({ kind: 'lost', error: reply.error }, vendor)
  const similar = reply.value.filter(({ createdAt, total }) => createdAt >= sentAt - skewMs && total === lines)
  const candidates = await notOfOthers(at, similar)
  return candidates.length > 0
    ? at.save({ candidateIds: candidates.map(({ id }) => id), tries: 0 })
    : sendAgain(at, vendor)
}

async function queryCandidates(
  at: BatchAtVendor,
  vendor: VendorRequests,
  candidateIds: readonly string[],
): Promise<StepOutcome> {
  const { api, target, account } = vendor
  const running: string[] = []
  for (const id of candidateIds) {
    const reply = await vendor.send(api.retrieve(id, target), api.read)
    if (reply.kind !== 'done') {
      if (isGone(reply) || at.isLate) continue
      return at.retryLater({ kind: 'lost', error: reply.error }, { account, max: Infinity })
    }
    if (reply.value.state === 'running') running.push(id)
    if (reply.value.state !== 'ended') continue
    const isOwn = await hasResultsOf(at, vendor, reply.value)
    if (isOwn instanceof UpstreamError)
      return at.retryLater({ kind: 'lost', error: isOwn }, { account, max: maxFetches })
    if (isOwn) return acceptBatch(at, reply.value, vendor)
  }
  if (at.isLate) return at.goOnHere()
  if (running.length === 0) return sendAgain(at, vendor)
  if (running.length === candidateIds.length && at.state.tries === 0) return at.queryLater()
  return (await at.save({ candidateIds: running, tries: 0 })) ?? at.queryLater()
}

/** Resolves with whether a batch that has ended has these calls; with why that cannot be known. */
async function hasResultsOf(
  at: BatchAtVendor,
  vendor: VendorRequests,
  batch: VendorBatch,
): Promise<boolean | UpstreamError> {
  const lines = at.linesAt(vendor)
  let isUnreadable = false
  try {
    for await (const report of reportsOf(vendor, at.name, batch, new LongWork(at.deps.inFlight))) {
      if (report) return lines.lineOf(report.id) !== null
      isUnreadable = true
    }
    if (!isUnreadable) return false
    return new UpstreamError({ fault: 'malformed', status: 502, message: 'No result can be read' })
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}

async function notOfOthers(
  { deps, task }: BatchAtVendor,
  batches: readonly VendorBatch[],
): Promise<readonly VendorBatch[]> {
  if (batches.length === 0) return []
  const taken = await deps.ctx.database.query
    .selectFrom('tasks')
    .select('vendor_id')
    .where('platform', '=', task.platform)
    .where(
      'vendor_id',
      'in',
      batches.map(({ id }) => id),
    )
    .where('id', '!=', task.id)
    .execute()
  const ids = new Set(taken.map(({ vendor_id: id }) => id))
  return batches.filter(({ id }) => !ids.has(id))
}

export function sendAgain(at: BatchAtVendor, { account }: VendorRequests): Promise<StepOutcome> {
  const tries = at.state.tries + 1
  return tries > maxTries ? at.goElsewhere(account) : at.save({ sentAt: 0, candidateIds: [], tries })
}

/** Records the vendor's batch. One that another worker has sent too is cancelled, as no worker would ask about it. */
export async function acceptBatch(
  at: BatchAtVendor,
  { id }: VendorBatch,
  vendor: VendorRequests,
): Promise<StepOutcome> {
  const lost = await at.save({ step: 'wait', batchId: id, candidateIds: [], tries: 0 }, { vendor_id: id })
  if (!lost) return null
  const row = await batchRow(at.deps.ctx.database.query, at.name)
  const isKnown = row !== undefined && readVendorState(row).batchId === id
  if (!isKnown) await vendor.send(vendor.api.cancel(id, vendor.target), () => null)
  return lost
}
