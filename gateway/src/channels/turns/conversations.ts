import { isObject, type JsonObject } from '@tollgate/dialects'
import * as z from 'zod'

import type { Database, Queries } from '../../platform/store/database'
import { sha256, type Seal, type SealContext } from '../../platform/store/seal'
import type { Clock } from '../../platform/time/clock'
import { nextTurn } from '../../platform/time/timers'
import { parseTextInTurns } from '../calls/parse-response-object'
import type { ObjectOwner } from '../vendor-objects/vendor-objects'
import { removeConversations } from './trim-user'
import { TurnOrigin } from './turn-origin'

interface Deps {
  readonly database: Database
  readonly seal: Seal
  readonly clock: Pick<Clock, 'seconds'>
}

/** A conversation of the Responses API. */
export interface Conversation {
  readonly id: string
  readonly userId: number
  readonly metadata: JsonObject
  /** What it takes in the database, about. */
  readonly bytes: number
  /** Unix seconds. */
  readonly createdAt: number
}

const ConversationItem = z.object({
  /** As clients name it. */
  id: z.string(),
  /** As a client would send it: the id that the gateway gave it is not in it. */
  item: z.custom<JsonObject>(isObject),
})
const ConversationEntry = z.object({
  /** Who answered the items; null: a client put them there. */
  origin: TurnOrigin.nullable(),
  items: z.array(ConversationItem).readonly(),
})
const Metadata = z.custom<JsonObject>(isObject)

/** An item of a conversation. */
export interface ConversationItem extends Readonly<z.output<typeof ConversationItem>> {}

/** What was added at one time. */
export interface ConversationEntry extends Readonly<z.output<typeof ConversationEntry>> {}

/** What a row takes beside its text: empty ones are not free. */
const rowBytes = 300

const metadataContext = (hash: string): SealContext => `conversations.sealed#${hash}`
const itemsContext = (hash: string): SealContext => `conversation_items.sealed#${hash}`

export interface NewConversation extends Pick<Conversation, 'id' | 'userId' | 'metadata'> {
  /** The key that makes it; 0: the playground. */
  readonly tokenId: number
}

/** Makes an empty conversation. */
export async function createConversation(
  { database, seal, clock }: Deps,
  { id, userId, tokenId, metadata }: NewConversation,
  ttlSeconds: number,
): Promise<Conversation> {
  const hash = sha256(id)
  const createdAt = clock.seconds()
  const bytes = bytesOf(metadata)
  await database.query
    .insertInto('conversations')
    .values({
      id_hash: hash,
      user_id: userId,
      token_id: tokenId,
      sealed: seal.seal(JSON.stringify(metadata), metadataContext(hash)),
      bytes,
      created_at: createdAt,
      expires_at: createdAt + ttlSeconds,
    })
    .execute()
  return { id, userId, metadata, bytes, createdAt }
}

const ofOwner = (query: Queries, { userId, tokenId }: ObjectOwner, id: string, now: number) =>
  query
    .selectFrom('conversations')
    .select(['sealed', 'bytes', 'created_at'])
    .where('id_hash', '=', sha256(id))
    .where('user_id', '=', userId)
    .$if(tokenId !== null, (select) => select.where('token_id', '=', tokenId ?? 0))
    .where('expires_at', '>', now)

/** Resolves with a conversation of the owner's; null where there is none. */
export async function findConversation(
  { database, seal, clock }: Deps,
  owner: ObjectOwner,
  id: string,
): Promise<Conversation | null> {
  const row = await ofOwner(database.query, owner, id, clock.seconds()).executeTakeFirst()
  if (!row) return null
  const metadata = Metadata.parse(JSON.parse(seal.open(row.sealed, metadataContext(sha256(id)))))
  return { id, userId: owner.userId, metadata, bytes: row.bytes, createdAt: row.created_at }
}

/** Puts other metadata in place of a conversation's. */
export async function changeMetadata(
  { database, seal }: Deps,
  { id, metadata: earlier }: Pick<Conversation, 'id' | 'metadata'>,
  metadata: JsonObject,
): Promise<void> {
  const hash = sha256(id)
  const sealed = seal.seal(JSON.stringify(metadata), metadataContext(hash))
  const more = bytesOf(metadata) - bytesOf(earlier)
  await database.query
    .updateTable('conversations')
    .set((eb) => ({ sealed, bytes: eb('bytes', '+', more) }))
    .where('id_hash', '=', hash)
    .execute()
}

/** Deletes a conversation with its items. */
export const removeConversation = ({ database }: Deps, { id }: Pick<Conversation, 'id'>): Promise<void> =>
  database.query.transaction().execute((transaction) => removeConversations(transaction, [sha256(id)]))

/** Resolves with what was added to a conversation, in order. */
export async function conversationItems(
  deps: Omit<Deps, 'clock'>,
  conversation: Pick<Conversation, 'id'>,
): Promise<readonly ConversationEntry[]> {
  const entries: ConversationEntry[] = []
  for await (const { entry } of entriesIn(deps, conversation)) entries.push(entry)
  return entries
}

const rowsAtOnce = 100
/** What is opened and parsed before the loop serves others: some milliseconds. */
const bytesAtOnce = 256 * 1024

/** Yields what was added to a conversation, with its rows, and lets others have their turn: it may have as much as the largest request. */
async function* entriesIn({ database, seal }: Omit<Deps, 'clock'>, { id }: Pick<Conversation, 'id'>) {
  let bytes = 0
  for (let after = 0; ;) {
    const rows = await itemRows(database.query, id).where('id', '>', after).limit(rowsAtOnce).execute()
    for (const row of rows) {
      yield { row, entry: await readEntry(seal, id, row.sealed) }
      bytes += rowBytes + row.sealed.length
      after = row.id
      if (bytes < bytesAtOnce) continue
      bytes = 0
      await nextTurn()
    }
    if (rows.length < rowsAtOnce) return
  }
}

const itemRows = (query: Queries, id: string) =>
  query
    .selectFrom('conversation_items')
    .select(['id', 'sealed'])
    .where('conversation_hash', '=', sha256(id))
    .orderBy('id')

const readEntry = async (seal: Seal, id: string, sealed: string): Promise<ConversationEntry> =>
  ConversationEntry.parse(await parseTextInTurns(seal.open(sealed, itemsContext(sha256(id)))))

/** Adds to the end of a conversation. Resolves with how many bytes that were; null: it is gone. */
export async function appendEntry(
  { database, seal, clock }: Deps,
  { id, userId }: Pick<Conversation, 'id' | 'userId'>,
  entry: ConversationEntry,
  ttlSeconds: number,
): Promise<number | null> {
  const hash = sha256(id)
  const text = JSON.stringify(entry)
  const bytes = bytesOf(entry)
  return database.query.transaction().execute(async (transaction) => {
    // It holds the row, so that what calls add that end at the same time does not mix.
    const { numUpdatedRows } = await transaction
      .updateTable('conversations')
      .set((eb) => ({ bytes: eb('bytes', '+', bytes), expires_at: clock.seconds() + ttlSeconds }))
      .where('id_hash', '=', hash)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    const sealed = seal.seal(text, itemsContext(hash))
    await transaction.insertInto('conversation_items').values({ conversation_hash: hash, sealed }).execute()
    return bytes
  })
}

/** Deletes an item of a conversation. Resolves with whether there was one. */
export async function removeItem(
  deps: Omit<Deps, 'clock'>,
  conversation: Pick<Conversation, 'id'>,
  itemId: string,
): Promise<boolean> {
  for await (const { row, entry } of entriesIn(deps, conversation))
    if (entry.items.some((one) => one.id === itemId) && (await removeFrom(deps, conversation, row.id, itemId)))
      return true
  return false
}

/** Deletes an item from what was added at one time. Resolves with whether it was still there. */
const removeFrom = (
  { database, seal }: Omit<Deps, 'clock'>,
  { id }: Pick<Conversation, 'id'>,
  rowId: number,
  itemId: string,
): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    // Changes of its items follow one another.
    await transaction
      .selectFrom('conversations')
      .select('id_hash')
      .where('id_hash', '=', sha256(id))
      .$if(database.kind === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst()
    const row = await itemRows(transaction, id).where('id', '=', rowId).executeTakeFirst()
    const entry = row && (await readEntry(seal, id, row.sealed))
    const left = entry && { ...entry, items: entry.items.filter((one) => one.id !== itemId) }
    if (!entry || !left || left.items.length === entry.items.length) return false
    const isEmpty = left.items.length === 0
    const bytes = bytesOf(entry) - (isEmpty ? 0 : bytesOf(left))
    await transaction
      .updateTable('conversations')
      .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
      .where('id_hash', '=', sha256(id))
      .execute()
    if (isEmpty) await transaction.deleteFrom('conversation_items').where('id', '=', rowId).execute()
    else
      await transaction
        .updateTable('conversation_items')
        .set({ sealed: seal.seal(JSON.stringify(left), itemsContext(sha256(id))) })
        .where('id', '=', rowId)
        .execute()
    return true
  })

const bytesOf = (stored: JsonObject | ConversationEntry): number => rowBytes + Buffer.byteLength(JSON.stringify(stored))
