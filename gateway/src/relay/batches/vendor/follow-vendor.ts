import type { VendorBatch } from '@tollgate/providers'

import { moveTask } from '../../../tasks/task-store'
import { left, maxFetches, maxTries, type BatchAtVendor, type StepOutcome } from './batch-at-vendor'
import { collectResults } from './collect-results'
import { removeFromVendor } from './remove-from-vendor'
import { isGone, type VendorRequests } from './vendor-requests'

/** Asks the vendor how a batch is doing. */
export async function followBatch(
  at: BatchAtVendor,
  vendor: VendorRequests,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { api, target, account } = vendor
  const { batchId, isCancelSent } = at.state
  if (!isCancelSent && !(await at.mayGoOn())) {
    const reply = await vendor.send(api.cancel(batchId, target), () => null)
    // One that is refused has ended.
    if (reply.kind === 'lost') return at.retryLater(reply, vendor)
    return at.save({ isCancelSent: true, tries: 0 })
  }
  const reply = await vendor.send(api.retrieve(batchId, target), api.read)
  const { isLate } = at
  if (reply.kind !== 'done') {
    const isTired = reply.kind === 'refused' && at.state.tries >= maxFetches
    if (isGone(reply) || isLate || isTired) return giveUp(at, vendor)
    return at.retryLater({ kind: 'lost', error: reply.error }, { account, max: Infinity })
  }
  const batch = reply.value
  if (batch.state === 'refused') {
    const { log } = at.deps.ctx
    log.warn({ batch: at.name, channel: account.channel.id, reason: batch.reason }, 'a vendor refuses a batch')
    await removeFromVendor(at, vendor)
    return at.goElsewhere(account)
  }
  if (batch.state === 'ended') return collect(at, vendor, batch, signal)
  return isLate ? giveUp(at, vendor) : waitOn(at, batch)
}

/** Records how far a batch is that still runs. */
async function waitOn(at: BatchAtVendor, { succeeded, failed, total }: VendorBatch): Promise<StepOutcome> {
  const { ctx } = at.deps
  const { row } = at.batch
  const known = at.state
  // What the batch had before comes on top.
  const counts = { completed: row.completed + succeeded, failed: row.failed + failed }
  const isNew = counts.completed !== known.completed || counts.failed !== known.failed
  if (isNew || known.tries > 0) {
    const lost = await at.save({ ...counts, tries: 0 })
    if (lost) return lost
  }
  const progress = Math.min(99, Math.floor(((succeeded + failed) / Math.max(1, total)) * 100))
  const shown = `${counts.completed} ✓ ${counts.failed} ✗ / ${row.total}`
  if (isNew) await moveTask(ctx.database.query, at.task.id, { progress, prompt_en: shown })
  return at.queryLater()
}

/** Fetches the results of a batch that has ended, and charges each. */
async function collect(
  at: BatchAtVendor,
  vendor: VendorRequests,
  found: VendorBatch,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { deps, batch, book, terms, state } = at
  const collected = await collectResults({ deps, batch, book, terms, vendor, lines: at.linesAt(vendor), signal }, found)
  if (collected.kind === 'failed') {
    // What the vendor made cannot be had.
    if (state.tries >= maxFetches) return giveUp(at, vendor, found.resultIds)
    return at.retryLater({ kind: 'lost', error: collected.error }, { account: vendor.account, max: Infinity })
  }
  if (collected.kind === 'interrupted') return left
  const { isAccountRefused } = collected
  return at.save({ step: 'clean', resultIds: found.resultIds, tries: 0, isAccountRefused })
}

/**
 * Deletes what the vendor still has of a batch that has ended. What is left is done elsewhere, where the vendor's account could not make all calls,
 * or here: to end it, or to make the calls that the vendor did not.
 */
export async function cleanUp(at: BatchAtVendor, vendor: VendorRequests): Promise<StepOutcome> {
  const error = await removeFromVendor(at, vendor)
  if (error) {
    if (at.state.tries < maxTries) return at.retryLater({ kind: 'lost', error }, vendor)
    at.warn(error, 'a batch could not be deleted at its vendor')
  }
  return at.state.isAccountRefused ? at.goElsewhere(vendor.account) : at.goOnHere()
}

/** Waits for the vendor no longer. */
async function giveUp(
  at: BatchAtVendor,
  vendor: VendorRequests,
  resultIds: readonly string[] = [],
): Promise<StepOutcome> {
  const error = await removeFromVendor(at, vendor, resultIds)
  if (error) at.warn(error, 'a batch could not be deleted at its vendor')
  return at.goOnHere()
}
