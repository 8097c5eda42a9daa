import { outputItems, textOf, type JsonObject } from '@tollgate/dialects'

import type { Prepared } from '../../channels/calls/prepare'
import type { Choice } from '../../channels/catalog/catalog'
import type { ConversationItem } from '../../channels/turns/conversations'
import type { TurnOrigin } from '../../channels/turns/turn-origin'
import { newResponseId } from '../../http/request/request-id'
import type { CallContext } from '../call-context'
import type { Context } from '../../context'
import { namesOf, type OpenTurn } from './open-turn'

/** Who answered a turn. */
export interface Answerer {
  readonly choice: Pick<Choice, 'channel' | 'key'>
  readonly response: { readonly prepared: Pick<Prepared, 'description'> }
}

/** Whatever else a vendor calls an id cannot be named in a path. */
const fitId = /^[\x21-\x7e]{1,512}$/

/**
 * Keeps the turn of a charged call, as its client got the response. Returns a promise where the response has to wait: the next call in a
 * conversation may come with its last byte, to another worker. Whatever fails here concerns no call.
 */
export function keepTurn(context: CallContext, served: Answerer, response: JsonObject): Promise<void> | undefined {
  const { call, caller, deps, turn } = context
  const id = call.taskId ?? textOf(response['id'])
  if (turn === null || !fitId.test(id)) return undefined
  const { channel, key } = served.choice
  const origin = {
    channelId: channel.id,
    keyFingerprint: key.fingerprint,
    dialect: served.response.prepared.description.dialect,
  }
  if (turn.isStored)
    deps.ctx.turns.add({
      id,
      previousId: turn.previousId,
      origin,
      input: turn.input,
      response: storedResponse(response, id, turn),
      userId: caller.account.id,
      tokenId: caller.key?.id ?? 0,
    })
  return turn.conversation === null ? undefined : append(context, turn, origin, response)
}

/** Returns a response with what it goes on from: an upstream that was sent the items of earlier turns does not know it. */
export function withTurnNames(response: JsonObject, turn: OpenTurn): JsonObject {
  const { previousResponseId, conversationId } = namesOf(turn)
  return {
    ...response,
    previous_response_id: previousResponseId,
    ...(conversationId !== null && { conversation: { id: conversationId } }),
  }
}

const storedResponse = (response: JsonObject, id: string, turn: OpenTurn): JsonObject => ({
  ...withTurnNames(response, turn),
  id,
  store: true,
})

async function append(
  { call, deps: { ctx } }: CallContext,
  { conversation, input }: OpenTurn,
  origin: TurnOrigin,
  response: JsonObject,
): Promise<void> {
  if (conversation === null) return
  const items = namedItems([...input, ...outputItems(response)], ctx)
  try {
    await ctx.turns.append(conversation, { origin, items })
  } catch (error) {
    ctx.log.warn({ error, requestId: call.requestId }, 'a turn could not be added to its conversation')
  }
}

/** Returns items with the ids by which clients name them. */
export const namedItems = (items: readonly JsonObject[], ctx: Pick<Context, 'random'>): readonly ConversationItem[] =>
  items.map((item) => ({ id: fitId.test(textOf(item['id'])) ? textOf(item['id']) : newItemId(item, ctx), item }))

/** How OpenAI's ids of items begin. */
const prefixes: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  function_call_output: 'fco_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctco_',
}

const newItemId = ({ type }: JsonObject, ctx: Pick<Context, 'random'>): string =>
  newResponseId(ctx, prefixes[textOf(type) || 'message'] ?? 'item_')
