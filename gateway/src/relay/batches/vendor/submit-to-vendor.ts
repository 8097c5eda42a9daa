import type { VendorBatch } from '@tollgate/providers'

import { batchRow } from '../../../tasks/batches/batch-store'
import { readVendorState } from '../../../tasks/batches/vendor-state'
import { maxTries, type BatchAtVendor, type StepOutcome } from './batch-at-vendor'
import { removeFromVendor } from './remove-from-vendor'
import { NotForVendor } from './vendor-line'
import { VendorRequests } from './vendor-requests'
import { WrittenCalls } from './written-calls'

/** Clocks of vendors differ. */
const skewMs = 300_000

/** Sends the calls of a batch. */
export async function sendCalls(at: BatchAtVendor, vendor: VendorRequests, signal: AbortSignal): Promise<StepOutcome> {
  const { deps, batch, book, name } = at
  const { api, account } = vendor
  if (at.state.sentAt > 0) return findSent(at, vendor)
  if (!(await at.mayGoOn())) return at.goOnHere()
  const calls = new WrittenCalls(batch.row, book, at.linesAt(vendor), deps)
  const measured = await calls.measure(api).catch((error: unknown) => {
    if (error instanceof NotForVendor) return null
    throw error
  })
  if (!measured) return at.goElsewhere(account)
  const { bytes, count, path, headers } = measured
  const lost = await at.save({ headers, path, lines: count, sentAt: deps.ctx.clock.now() })
  if (lost) return lost
  const sender = new VendorRequests(deps, account, api, headers)
  const sent = { name, bytes, lines: calls.write(api) }
  if (api.files) {
    const reply = await sender.submit(sent, api.files.readId, signal)
    return reply.kind === 'done' ? recordFile(at, reply.value) : at.retryLater(reply, vendor)
  }
  const reply = await sender.submit(sent, api.read, signal)
  return reply.kind === 'done' ? acceptBatch(at, reply.value, vendor) : at.retryLater(reply, vendor)
}

/** Looks for what was sent when its response was lost, before it is sent again. */
async function findSent(at: BatchAtVendor, vendor: VendorRequests): Promise<StepOutcome> {
  const { files } = vendor.api
  if (!files) return findBatch(at, vendor, (batch) => mayBeOwn(at, batch))
  const reply = await vendor.send(files.list(vendor.target), (body) => files.find(body, at.name))
  if (reply.kind === 'lost') return at.retryLater(reply, vendor)
  const [found] = reply.kind === 'done' ? reply.value : []
  return found === undefined ? sendAgain(at, vendor) : recordFile(at, found)
}

const recordFile = (at: BatchAtVendor, id: string): Promise<StepOutcome> =>
  at.save({ step: 'create', inputId: id, sentAt: 0, tries: 0 })

/** Makes a batch of the file of calls. */
export async function createBatch(at: BatchAtVendor, vendor: VendorRequests): Promise<StepOutcome> {
  const { api, target } = vendor
  const { files } = api
  const { inputId, path } = at.state
  if (!files) return at.goOnHere()
  if (at.state.sentAt > 0) return findBatch(at, vendor, (batch) => batch.inputId === inputId || batch.name === at.name)
  if (!(await at.mayGoOn())) {
    await removeFromVendor(at, vendor)
    return at.goOnHere()
  }
  const lost = await at.save({ sentAt: at.deps.ctx.clock.now() })
  if (lost) return lost
  const model = vendor.account.upstreamModel
  const call = files.create({ id: inputId, path: path || at.batch.row.endpoint, name: at.name, model }, target)
  const reply = await vendor.send(call, api.read)
  if (reply.kind === 'done') return acceptBatch(at, reply.value, vendor)
  if (reply.kind === 'refused') await removeFromVendor(at, vendor)
  return at.retryLater(reply, vendor)
}

async function findBatch(
  at: BatchAtVendor,
  vendor: VendorRequests,
  isOwn: (batch: VendorBatch) => boolean,
): Promise<StepOutcome> {
  const { api, target } = vendor
  const reply = await vendor.send(api.list(target), api.readList)
  if (reply.kind === 'lost') return at.retryLater(reply, vendor)
  const known = reply.kind === 'done' ? reply.value.filter(isOwn) : []
  const found = await notOfOthers(at, known)
  if (!found) return sendAgain(at, vendor)
  return acceptBatch(at, found, vendor, api.files !== undefined)
}

/** A batch without a name is found by its time and its length; that it is this one is known by its results. */
function mayBeOwn(
  { state: { sentAt, lines, otherIds } }: BatchAtVendor,
  { id, createdAt, total }: VendorBatch,
): boolean {
  return createdAt >= sentAt - skewMs && total === lines && !otherIds.includes(id)
}

async function notOfOthers(
  { deps, task }: BatchAtVendor,
  batches: readonly VendorBatch[],
): Promise<VendorBatch | undefined> {
  if (batches.length === 0) return undefined
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
  return batches.find(({ id }) => !ids.has(id))
}

function sendAgain(at: BatchAtVendor, { account }: VendorRequests): Promise<StepOutcome> {
  const tries = at.state.tries + 1
  return tries > maxTries ? at.goElsewhere(account) : at.save({ sentAt: 0, tries })
}

/** Records the vendor's batch. One that another worker has sent too is cancelled, as no worker would ask about it. */
async function acceptBatch(
  at: BatchAtVendor,
  { id }: VendorBatch,
  vendor: VendorRequests,
  isProven = true,
): Promise<StepOutcome> {
  const lost = await at.save({ step: 'wait', batchId: id, tries: 0, isProven }, { vendor_id: id })
  if (!lost) return null
  const row = await batchRow(at.deps.ctx.database.query, at.name)
  const isKnown = row !== undefined && readVendorState(row).batchId === id
  if (isProven && !isKnown) await vendor.send(vendor.api.cancel(id, vendor.target), () => null)
  return lost
}
