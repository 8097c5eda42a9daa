import { isObject } from '@tollgate/dialects'

import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import type { Context } from '../../context'
import { AppError } from '../../platform/app-error'
import { ownerOf, type Caller, type IncomingCall } from '../call'
import { mayHoldReferences, resolveReferences } from './item-references'
import { earlierItems, itemsIn, namedConversation, threadTo, withEarlier } from './admit-turn'

interface Counted {
  readonly call: Pick<IncomingCall, 'request'>
  readonly caller: Caller
  readonly body: ParsedBody
  readonly ctx: Context
}

/** A request whose tokens are counted, and those of what only a vendor has. */
interface CountedRequest {
  readonly body: ParsedBody
  readonly vendorTokens: number
}

/**
 * Resolves with a request of the Responses API with the items of the turns that it names.
 * @throws AppError `object.response_none`, `object.none`, `turn.broken`, `request.too_large`; DatabaseUnavailableError.
 */
export async function countedRequest(sent: Counted): Promise<CountedRequest> {
  const resolved = mayHoldReferences(sent.body) ? await resolveReferences(sent, { isAll: true }) : null
  const counted = resolved === null ? sent : { ...sent, body: resolved.body }
  const { previous_response_id: previous, conversation } = counted.body.json
  if (typeof previous === 'string') return countedAfter(counted, previous)
  if (conversation === undefined || conversation === null) return { body: counted.body, vendorTokens: 0 }
  const known = await namedConversation(counted, conversation)
  if (known === null) throw notNamed(conversation)
  const earlier = await itemsIn(known, counted.ctx)
  return { body: withEarlier(counted.body, earlier, counted.ctx), vendorTokens: 0 }
}

const notNamed = (conversation: unknown): AppError => {
  const id = isObject(conversation) ? conversation['id'] : conversation
  return new AppError('conversation.none', { params: { id: String(id).slice(0, 100) } })
}

async function countedAfter(counted: Counted, id: string): Promise<CountedRequest> {
  const { caller, body, ctx } = counted
  const thread = await threadTo(counted, id)
  if (thread.kind === 'whole') {
    const model = body.json['model'] ?? thread.turns.at(-1)?.response['model']
    return {
      body: withEarlier({ ...body, ...bodyOf({ ...body.json, model }) }, earlierItems(thread, id, ctx), ctx),
      vendorTokens: 0,
    }
  }
  const tokens = (await ctx.vendorObjects.ofOwner(ownerOf(caller), [id])).get(id)?.tokens ?? null
  if (tokens !== null) return { body: withEarlier(body, [], ctx), vendorTokens: tokens }
  if (thread.kind === 'none')
    throw new AppError('object.response_none', { params: { id: id.slice(0, 100), place: 'previous_response_id' } })
  return { body: withEarlier(body, earlierItems(thread, id, ctx), ctx), vendorTokens: 0 }
}
