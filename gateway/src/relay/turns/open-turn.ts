import { withoutSealedReasoning, type JsonObject } from '@tollgate/dialects'

import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import type { Catalog, Choice } from '../../channels/catalog/catalog'
import type { Conversation } from '../../channels/turns/conversations'
import type { TurnOrigin } from '../../channels/turns/turn-origin'
import type { Context } from '../../context'
import { AppError } from '../../platform/app-error'
import { accountTest } from '../objects/excluded-accounts'

/** Items that one account answered, with those that it answered them to. */
export interface EarlierItems {
  /** Null: a client put them there. */
  readonly origin: TurnOrigin | null
  readonly items: readonly JsonObject[]
}

/** A call of the Responses API as a turn of a conversation. */
export interface OpenTurn {
  /** A later call may go on from it. */
  readonly isStored: boolean
  /** The items that the call itself brings. */
  readonly input: readonly JsonObject[]
  /** Who answered them, where some stand in place of references; null: the client sent them as they are. */
  readonly resolved: readonly EarlierItems[] | null
  /** The response that it names. */
  readonly previousId: string | null
  /** The conversation that it names, where it is kept here. */
  readonly conversation: Conversation | null
  /** What stands before its own items in the body; null: it goes on from nothing, or from what a vendor keeps. */
  readonly earlier: readonly EarlierItems[] | null
}

/** Returns whether the response of a turn is kept, for a call by its id or in a conversation. */
export const keepsResponse = (turn: OpenTurn | null): turn is OpenTurn =>
  turn !== null && (turn.isStored || turn.conversation !== null)

/** The items of earlier turns are more than a request may have. */
export const tooLarge = ({ config }: Pick<Context, 'config'>): AppError =>
  new AppError('request.too_large', { params: { limit: Math.floor(config.maxRequestBodyBytes / (1024 * 1024)) } })

/** Returns whether a turn follows others. */
export const followsOthers = ({ previousId, conversation, earlier }: OpenTurn): boolean =>
  previousId !== null || conversation !== null || earlier !== null

/** What responses say of their turn. */
export interface TurnNames {
  readonly previousResponseId: string | null
  readonly conversationId: string | null
}

export const namesOf = ({ previousId, conversation }: OpenTurn): TurnNames => ({
  previousResponseId: previousId,
  conversationId: conversation?.id ?? null,
})

/**
 * Returns the body for a channel and key, where reasoning that other accounts sealed or keep is left out of the items of earlier turns:
 * an upstream that speaks the Responses API takes back its own alone. Translations leave out what their upstream cannot read.
 */
export function turnBodyFor(
  { earlier, resolved }: OpenTurn,
  choice: Pick<Choice, 'channel' | 'key'>,
  body: ParsedBody,
  catalog: Catalog,
): ParsedBody {
  const { channel, key } = choice
  if ((earlier ?? resolved) === null || channel.provider.responses?.dialect !== 'openai-responses') return body
  const isForeign = ({ origin }: EarlierItems) => origin !== null && !accountTest(origin, catalog)(channel, key)
  const { input } = body.json
  const known = [...(earlier ?? []), ...(resolved ?? [])]
  if (!Array.isArray(input) || !known.some(isForeign)) return body
  let start = 0
  const items = known.flatMap((one): readonly unknown[] => {
    const part = input.slice(start, (start += one.items.length))
    return isForeign(one) ? withoutReasoning(part) : part
  })
  return { ...body, ...bodyOf({ ...body.json, input: [...items, ...input.slice(start)] }) }
}

const withoutReasoning = (items: readonly unknown[]): readonly unknown[] => {
  const { input } = withoutSealedReasoning({ input: items })
  return Array.isArray(input) ? input : items
}
