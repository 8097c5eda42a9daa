import type { BatchAtVendor, StepOutcome } from './batch-at-vendor'
import { acceptBatch, findBatch, findByResults, sendAgain } from './find-batch'
import { removeFromVendor } from './remove-from-vendor'
import { NotForVendor } from './vendor-line'
import { VendorRequests, type VendorFailure } from './vendor-requests'
import { WrittenCalls } from './written-calls'

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
    const { files } = api
    const readId = (body: unknown) => files.readId(body, name)
    const reply = await sender.submit(sent, readId, signal)
    return reply.kind === 'done' ? recordFile(at, reply.value) : afterFailure(at, reply, vendor)
  }
  const reply = await sender.submit(sent, api.read, signal)
  return reply.kind === 'done' ? acceptBatch(at, reply.value, vendor) : afterFailure(at, reply, vendor)
}

/** What a vendor accepted under a name by which it cannot be asked is not sent again, as it may be made there: its calls are made elsewhere, once. */
async function afterFailure(at: BatchAtVendor, failure: VendorFailure, vendor: VendorRequests): Promise<StepOutcome> {
  if (failure.error.fault !== 'malformed') return at.retryLater(failure, vendor)
  at.warn(failure.error, 'a vendor names a batch so that it cannot be asked about it')
  if (vendor.api.files) await removeFromVendor(at, vendor)
  return at.goElsewhere(vendor.account)
}

/** Looks for what was sent when its response was lost, before it is sent again. */
async function findSent(at: BatchAtVendor, vendor: VendorRequests): Promise<StepOutcome> {
  const { files } = vendor.api
  if (!files) return findByResults(at, vendor)
  const { search } = files
  if (!search) return sendAgain(at, vendor)
  const reply = await vendor.send(search.list(vendor.target), (body) => search.find(body, at.name))
  // Where it cannot be looked for, it may be there.
  if (reply.kind !== 'done') return at.retryLater({ kind: 'lost', error: reply.error }, vendor)
  const [found] = reply.value
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
  return afterFailure(at, reply, vendor)
}
