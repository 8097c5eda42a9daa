import type { UpstreamError } from '../../../channels/calls/upstream-error'
import type { BatchAtVendor } from './batch-at-vendor'
import type { VendorRequests } from './vendor-requests'

/** Deletes what the vendor has of a batch. Resolves with why it may still have something; null: it has nothing. */
export async function removeFromVendor(
  { name, state }: BatchAtVendor,
  vendor: VendorRequests,
  resultIds = state.resultIds,
): Promise<UpstreamError | null> {
  const { api, target } = vendor
  const { inputId, batchId } = state
  const search = api.files?.search
  const listed = search && (await vendor.send(search.list(target), (body) => search.find(body, name)))
  // Also what was sent when its response was lost.
  const inputs = [...new Set([inputId, ...(listed?.kind === 'done' ? listed.value : [])])]
  const calls = inputs.flatMap((id, index) =>
    api.remove({ id: batchId, inputId: id, resultIds: index === 0 ? resultIds : [] }, target),
  )
  let failure: UpstreamError | null = null
  for (const call of calls) {
    const reply = await vendor.send(call, () => null)
    if (reply.kind === 'lost') failure = reply.error
  }
  return failure
}
