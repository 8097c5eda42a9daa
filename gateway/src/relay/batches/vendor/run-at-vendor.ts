import { hasEnded } from '@tollgate/contract'
import { batchApiAt } from '@tollgate/providers'

import type { Channel } from '../../../channels/catalog/catalog'
import type { Batch } from '../../../tasks/batches/batch-store'
import { noVendorState } from '../../../tasks/batches/vendor-state'
import { accountOf } from '../../../tasks/task-account'
import type { RelayDeps } from '../../call-context'
import { BatchAtVendor, left, type StepOutcome, type VendorOutcome } from './batch-at-vendor'
import { chooseVendor } from './choose-vendor'
import { cleanUp, followBatch } from './follow-vendor'
import { createBatch, sendCalls } from './submit-to-vendor'
import { VendorRequests } from './vendor-requests'

/**
 * Has a vendor make the calls of a batch, where the channel that would serve them has batches: one step after the other, each recorded before it is
 * taken, until there is nothing to do for the moment.
 */
export async function runAtVendor(batch: Batch, deps: RelayDeps, signal: AbortSignal): Promise<VendorOutcome> {
  const at = new BatchAtVendor(batch, deps)
  while (!signal.aborted) {
    const task = await at.reload()
    if (!task || hasEnded(task)) return left
    const outcome = await takeStep(at, signal)
    if (outcome) return outcome
  }
  return left
}

async function takeStep(at: BatchAtVendor, signal: AbortSignal): Promise<StepOutcome> {
  const { step, headers } = at.state
  if (step === 'here') return { kind: 'here' }
  if (step === '') return decide(at)
  const account = accountOf(at.deps.ctx, at.task)
  const api = account && batchApiAt(account.channel.provider, withBatches(account.channel))
  // Its account is gone, or has no batches.
  if (!account || !api || api.takesKey?.(account.key.value) === false) return at.goOnHere()
  const vendor = new VendorRequests(at.deps, account, api, headers)
  if (step === 'send') return sendCalls(at, vendor, signal)
  if (step === 'create') return createBatch(at, vendor)
  return step === 'wait' ? followBatch(at, vendor, signal) : cleanUp(at, vendor)
}

/** What was begun goes on, whatever the channel says of batches now. */
const withBatches = ({ baseUrl, setting }: Channel) => ({ baseUrl, setting: { ...setting, vendor_batches: 'on' } })

/** Chooses the channel. */
async function decide(at: BatchAtVendor): Promise<StepOutcome> {
  const { ctx } = at.deps
  const { refusedBy } = at.state
  if (!ctx.catalog.current.options.BatchesAtVendors || !(await at.mayGoOn())) return at.goOnHere()
  const choice = chooseVendor(at.batch, new Set(refusedBy), at.deps)
  if (!choice) return at.goOnHere()
  const { channel, key, model } = choice
  return at.save(
    { ...noVendorState, refusedBy, step: 'send' },
    {
      status: 'IN_PROGRESS',
      channel_id: channel.id,
      channel_name: channel.name,
      key_fingerprint: key.fingerprint,
      upstream_model: channel.modelMapping.get(model) ?? model,
      vendor_id: '',
      ...(at.task.started_at === 0 && { started_at: ctx.clock.now() }),
    },
  )
}
