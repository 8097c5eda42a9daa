import { daySeconds } from '@tollgate/contract'
import { sealId, type CreatedObject } from '@tollgate/dialects'

import type { Metered } from '../../billing/metering/meter'
import type { Served } from '../stages/attempt'
import type { OpenResponse } from '../attempt/stream-opening'
import type { CallContext } from '../call-context'

/** More than a response has items. */
const maxObjects = 256

/**
 * Records what a response left in the vendor's account as its user's. Ids of a translated response are the gateway's own, but its client
 * brings back what the account sealed. What is left in an account of the client's own is not recorded.
 */
export function recordObjects(
  context: CallContext,
  { response, choice: { channel, key, ownLogin } }: Served<OpenResponse>,
  metered: Metered,
): void {
  if (ownLogin) return
  const own = leftObjects(context, response)
  if (own.length === 0) return
  const { call, caller, deps } = context
  const { clock, vendorObjects } = deps.ctx
  const account = {
    userId: caller.payer.userId,
    tokenId: caller.key?.id ?? 0,
    channelId: channel.id,
    keyFingerprint: key.fingerprint,
    expiresAt: clock.seconds() + call.catalog.options.VendorObjectDays * daySeconds,
  }
  vendorObjects.add(
    own.slice(0, maxObjects).map(({ id, kind }) => ({
      ...account,
      id: knownId({ id, kind }, call.taskId),
      vendorId: kind === 'answer' && call.taskId !== undefined ? id : '',
      tokens: kind === 'answer' ? tokensOf(metered) : null,
    })),
  )
}

/** Returns what a response left in the vendor's account under ids that a later request may name, and what only that account can read. */
export function leftObjects({ body, objects }: CallContext, response: OpenResponse): readonly CreatedObject[] {
  const created = response.prepared.translated ? objectsOf(response).filter(isSealed) : objectsOf(response)
  if (created.length === 0) return created
  const isStored = body.json['store'] !== false
  return created.filter(
    (one) => isId(one) && (isStored || !isResponseObject(one.kind)) && !objects?.borrowed.has(one.id),
  )
}

/** What runs in the background is known to its client by the id of its task. */
function knownId({ id, kind }: CreatedObject, taskId: string | undefined): string {
  if (kind === 'sealed') return sealId(id)
  return kind === 'answer' ? (taskId ?? id) : id
}

const noObjects: readonly CreatedObject[] = []

function objectsOf(response: OpenResponse): readonly CreatedObject[] {
  if (response.kind === 'bytes') return noObjects
  const view = response.kind === 'whole' ? response.view : response.tap
  return view.createdObjects?.() ?? noObjects
}

/** Whatever else a vendor calls an id: no database would refuse the batch of all users' objects for it. */
const isId = ({ id, kind }: CreatedObject): boolean => kind === 'sealed' || /^[\x20-\x7e]{1,512}$/.test(id)

const isSealed = ({ kind }: CreatedObject): boolean => kind === 'sealed'

const isResponseObject = (kind: CreatedObject['kind']): boolean => kind === 'answer' || kind === 'item'

/** Counts of the gateway's own do not bound what the vendor keeps. */
const tokensOf = ({ usage, estimated, capped }: Metered): number | null =>
  estimated === undefined && capped === undefined ? usage.promptTokens + usage.completionTokens : null
