import { textOf, outputItems, type JsonObject } from '@tollgate/dialects'
import { descriptionOf } from '@tollgate/providers'

import { addressBelow } from '../../channels/calls/address-below'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Turn } from '../../channels/turns/turns'
import type { ObjectOwner } from '../../channels/vendor-objects/vendor-objects'
import type { Context } from '../../context'
import { AppError } from '../../platform/app-error'
import { sha256 } from '../../platform/store/seal'
import type { Room } from '../../http/limits/byte-budget'
import { waitUnless } from '../../platform/time/timers'
import { callVendor, fullTarget } from '../../tasks/vendor-call'
import type { IncomingCall } from '../call'
import { maxIdLength } from '../tasks/task-call'
import { itemList } from './item-list'

/** Stored texts are in memory sealed, opened and parsed. */
export const readFactor = 3
/** What reading takes at least: it is refused where there is no memory left. */
export const minReadBytes = 64 * 1024

/** Until another worker has recorded what it served just now. */
const graceMs = 150

/** Resolves with a turn of the owner's. @throws AppError `turn.none`, also for one of another owner. */
export async function requireTurn(
  owner: ObjectOwner,
  id: string,
  { request }: Pick<IncomingCall, 'request'>,
  { turns, timers }: Pick<Context, 'turns' | 'timers'>,
): Promise<Turn> {
  const turn = await turns.find(owner, id)
  if (turn) return turn
  await waitUnless(timers, graceMs, request.signal)
  const later = await turns.find(owner, id)
  if (!later) throw new AppError('turn.none', { params: { id: id.slice(0, maxIdLength) } })
  return later
}

const dialect = 'openai-responses'

/** It may be deleted when it is asked to again; whatever else a vendor says, asking again would not help. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

/**
 * Deletes a response of the owner's in the account that has it, where its vendor keeps responses and the channel still has the key.
 * https://platform.openai.com/docs/api-reference/responses/delete
 * @throws UpstreamError where the vendor cannot be asked now; DatabaseUnavailableError.
 */
async function removeAtVendor(owner: ObjectOwner, id: string, ctx: Context): Promise<void> {
  const stored = (await ctx.vendorObjects.ofOwner(owner, [id])).get(id)
  const channel = stored && ctx.catalog.current.channels.get(stored.channelId)
  const key = channel?.keys.find(({ fingerprint }) => fingerprint === stored?.keyFingerprint)
  if (!stored || !channel || !key) return
  const account = { channel, key, upstreamModel: '' }
  const target = fullTarget(ctx, account)
  const description = descriptionOf(channel.provider, { mode: 'chat', dialect }, { ...target, dialect })
  if (description?.dialect !== dialect) return
  const url = addressBelow(description.url(target), encodeURIComponent(stored.vendorId || id))
  const { status } = await callVendor(
    ctx,
    account,
    {},
    { method: 'DELETE', url, headers: description.headers?.(target) },
  )
  if (isPassing(status))
    throw new UpstreamError({ fault: 'refused', status, message: `The vendor did not delete it (HTTP ${status})` })
}

/**
 * Deletes a response of the owner's: from now on no call can name it. What its vendor has is deleted first, so that a call that fails can be
 * made again. Resolves with whether there was one. @throws as `removeAtVendor`.
 */
export async function removeTurn(owner: ObjectOwner, id: string, ctx: Context): Promise<boolean> {
  await removeAtVendor(owner, id, ctx)
  const turn = await ctx.turns.find(owner, id)
  const items = turn === null ? [] : outputItems(turn.response).map((item) => textOf(item['id']))
  const isRemoved = await ctx.turns.remove(owner, id)
  const isForgotten = await ctx.vendorObjects.forget(owner, [id, ...items])
  return isRemoved || isForgotten
}

/**
 * Returns a page of the items that a response was made from: those of all turns before, where they are still there, and its own.
 * @throws AppError `conversation.item_none`; DialectError.
 */
export async function inputItemList(
  turn: Turn,
  owner: ObjectOwner,
  query: string,
  { turns, config, room }: Pick<Context, 'turns' | 'config'> & { readonly room: Room },
): Promise<JsonObject> {
  const thread = await turns.threadTo(owner, turn.id, config.maxRequestBodyBytes, (bytes) =>
    room.hold(bytes * readFactor),
  )
  const all = thread.kind === 'whole' ? thread.turns : [turn]
  const items = all.flatMap((one) => [
    ...one.input.map((item, index) => ({ id: textOf(item['id']) || inputItemId(one.id, index), item })),
    ...(one.id === turn.id ? [] : outputItems(one.response).map((item) => ({ id: textOf(item['id']), item }))),
  ])
  return itemList(items, query)
}

/** The id of an item to which its client gave none. */
const inputItemId = (id: string, index: number): string => `msg_${sha256(`${id} ${index}`).slice(0, 48)}`
