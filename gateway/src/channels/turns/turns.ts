import { daySeconds, type OptionValues } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'
import * as z from 'zod'

import { parseTextInTurns } from '../calls/parse-response-object'
import type { ObjectOwner } from '../vendor-objects/vendor-objects'
import type { Conversation, ConversationEntry, NewConversation } from './conversations'
import { TurnOrigin } from './turn-origin'

const StoredObject = z.custom<JsonObject>(isObject)

const Turn = z.object({
  /** That of the response, as its client knows it. */
  id: z.string(),
  /** The response from which it goes on; null: none, or a conversation. */
  previousId: z.string().nullable(),
  origin: TurnOrigin,
  input: z.array(StoredObject).readonly(),
  response: StoredObject,
})

/** One turn of the Responses API: what its request brought beyond the turns before, and the response. */
export interface Turn extends Readonly<z.output<typeof Turn>> {}

/** Reads a turn as it was stored, a long one in several turns of the event loop. @throws Error for anything else. */
export const readTurn = async (text: string): Promise<Turn> => Turn.parse(await parseTextInTurns(text))

/** An item of a response that is kept here, and who answered it. */
export interface StoredItem {
  readonly item: JsonObject
  readonly origin: TurnOrigin
}

export interface NewTurn extends Turn {
  readonly userId: number
  /** The key that made it; 0: the playground. */
  readonly tokenId: number
}

/**
 * A turn with all turns before it, the first one first. `broken`: one of them was deleted, has expired or was never kept. `too-large`: they are
 * more than a request may have.
 */
export type Thread =
  | { readonly kind: 'whole'; readonly turns: readonly Turn[] }
  | { readonly kind: 'none' | 'broken' | 'too-large' }

/** How long and how much is kept. */
export interface TurnLimits {
  readonly ttlSeconds: number
  readonly maxTurnBytes: number
  /** All turns and conversations of a user. The least recently used leave first. */
  readonly maxUserBytes: number
}

/** Returns the limits of a site. */
export const turnLimits = (options: OptionValues): TurnLimits => ({
  ttlSeconds: options.ResponseTurnDays * daySeconds,
  maxTurnBytes: options.ResponseTurnKilobytes * 1024,
  maxUserBytes: options.ResponseTurnUserMegabytes * 1024 * 1024,
})

/**
 * Turns of the Responses API, sealed. Written after the charge, in batches: the worker that served a turn knows it at once, others within
 * milliseconds. A turn has its own items alone, so that a conversation takes as many bytes as were said in it.
 */
export interface Turns {
  /** Takes the turn of a charged call. Never blocks and never fails the caller; one that is too large is not kept. */
  add(turn: NewTurn): void
  /** Resolves with a turn of the owner's; null where there is none. @throws DatabaseUnavailableError */
  find(owner: ObjectOwner, id: string): Promise<Turn | null>
  /**
   * Resolves with a turn of the owner's and those before it, of which a request may have `maxBytes`. `onBytes` is told how many bytes were read,
   * before they are parsed. @throws DatabaseUnavailableError
   */
  threadTo(owner: ObjectOwner, id: string, maxBytes: number, onBytes?: (bytes: number) => void): Promise<Thread>
  /**
   * Resolves with those items of the owner's responses that have one of these ids; null where the turns that have them are more than `maxBytes`.
   * @throws DatabaseUnavailableError
   */
  findItems(
    owner: ObjectOwner,
    ids: readonly string[],
    maxBytes: number,
  ): Promise<ReadonlyMap<string, StoredItem> | null>
  /** Deletes a turn of the owner's. Resolves with whether there was one. @throws DatabaseUnavailableError */
  remove(owner: ObjectOwner, id: string): Promise<boolean>
  /** Makes an empty conversation. @throws DatabaseUnavailableError */
  createConversation(conversation: NewConversation): Promise<Conversation>
  /** Adds to the end of a conversation, in one piece. Resolves with whether it is still there. @throws DatabaseUnavailableError */
  append(conversation: Pick<Conversation, 'id' | 'userId'>, entry: ConversationEntry): Promise<boolean>
  /** How many wait to be written. */
  readonly queued: number
  /** Writes the queue, as far as possible in the given time. Afterwards nothing is accepted. */
  close(): Promise<void>
}
