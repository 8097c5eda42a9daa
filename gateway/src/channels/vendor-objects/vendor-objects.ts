import type { Queries } from '../../platform/store/database'

/** Where an object lies: one key of a channel stands for an account. */
export interface VendorAccount {
  readonly channelId: number
  readonly keyFingerprint: string
}

/** Whose objects a caller may name. */
export interface ObjectOwner {
  readonly userId: number
  /** The only key whose objects are named; null: those of all the user's keys. */
  readonly tokenId: number | null
}

/** Something that a call left in a vendor's account. */
export interface StoredObject extends VendorAccount {
  /** The key that made it first; 0: the playground; null: not known, and any key of the user's. */
  readonly tokenId: number | null
  /** Tokens of a response and everything before it; null: not known. */
  readonly tokens: number | null
  /** The vendor's id, where the client knows the object by one of the gateway's own; otherwise empty. */
  readonly vendorId: string
}

export interface NewObject extends StoredObject {
  /** As the client knows it. */
  readonly id: string
  readonly userId: number
  /** Unix seconds. */
  readonly expiresAt: number
}

/**
 * Whose the objects in vendors' accounts are. An account is shared by all users, and the vendor gives an object of it to any call that names it.
 * Written after the charge, in batches: the worker that served the call knows them at once, others within milliseconds. What a crash
 * loses is refused, never shown to another user.
 */
export interface VendorObjects {
  /** Takes what a charged call left. Never blocks and never fails the caller. */
  add(made: readonly NewObject[]): void
  /** Resolves with those of the objects that are the owner's, by id. @throws DatabaseUnavailableError */
  ofOwner(owner: ObjectOwner, ids: readonly string[]): Promise<ReadonlyMap<string, StoredObject>>
  /** Resolves with those of the ids that objects of others have. @throws DatabaseUnavailableError */
  ofOthers(owner: ObjectOwner, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Forgets objects of the owner, on all workers. Resolves with whether there were any. @throws DatabaseUnavailableError */
  forget(owner: ObjectOwner, ids: readonly string[]): Promise<boolean>
  /** Drops what is remembered of a user's objects: another worker forgot some. */
  refresh(userId: number): void
  /** How many wait to be written. */
  readonly queued: number
  /** Writes the queue, as far as possible in the given time. Afterwards nothing is accepted. */
  close(): Promise<void>
}

/** An object whose id is known by its hash alone. */
export interface HashedObject extends Omit<NewObject, 'id'> {
  readonly hash: string
}

/** Records objects; the latest of several with one id counts: a conversation grows by each of its turns. */
export async function writeObjects(query: Queries, batch: readonly HashedObject[]): Promise<void> {
  const latest = new Map(batch.map((object) => [`${object.userId}:${object.hash}`, object]))
  await query
    .insertInto('vendor_objects')
    .values([...latest.values()].map(rowOf))
    .onConflict((conflict) =>
      conflict.columns(['id_hash', 'user_id']).doUpdateSet((eb) => ({
        channel_id: eb.ref('excluded.channel_id'),
        key_fingerprint: eb.ref('excluded.key_fingerprint'),
        tokens: eb.ref('excluded.tokens'),
        vendor_id: eb.ref('excluded.vendor_id'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .execute()
}

const rowOf = ({ hash, userId, tokenId, channelId, keyFingerprint, tokens, vendorId, expiresAt }: HashedObject) => ({
  id_hash: hash,
  user_id: userId,
  token_id: tokenId,
  channel_id: channelId,
  key_fingerprint: keyFingerprint,
  tokens,
  vendor_id: vendorId,
  expires_at: expiresAt,
})

interface Search {
  readonly owner: ObjectOwner
  readonly hashes: readonly string[]
  /** Unix seconds. */
  readonly now: number
}

/** Resolves with the owner's objects of these hashes. */
export async function findObjects(
  query: Queries,
  { owner: { userId, tokenId }, hashes, now }: Search,
): Promise<readonly HashedObject[]> {
  const rows = await query
    .selectFrom('vendor_objects')
    .selectAll()
    .where('id_hash', 'in', hashes)
    .where('user_id', '=', userId)
    .$if(tokenId !== null, (select) =>
      select.where((eb) => eb.or([eb('token_id', '=', tokenId), eb('token_id', 'is', null)])),
    )
    .where('expires_at', '>', now)
    .execute()
  return rows.map((row) => ({
    hash: row.id_hash,
    userId,
    tokenId: row.token_id,
    channelId: row.channel_id,
    keyFingerprint: row.key_fingerprint,
    tokens: row.tokens,
    vendorId: row.vendor_id,
    expiresAt: row.expires_at,
  }))
}

/** Resolves with those of the hashes under which another owner has an object. */
export async function findOthers(
  query: Queries,
  { owner: { userId, tokenId }, hashes, now }: Search,
): Promise<readonly string[]> {
  const rows = await query
    .selectFrom('vendor_objects')
    .select('id_hash')
    .distinct()
    .where('id_hash', 'in', hashes)
    .where((eb) => eb.or([eb('user_id', '<>', userId), ...(tokenId === null ? [] : [eb('token_id', '<>', tokenId)])]))
    .where('expires_at', '>', now)
    .execute()
  return rows.map(({ id_hash: hash }) => hash)
}

/** Deletes the owner's objects of these hashes. Resolves with how many there were. */
export async function deleteObjects(
  query: Queries,
  { userId, tokenId }: ObjectOwner,
  hashes: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await query
    .deleteFrom('vendor_objects')
    .where('id_hash', 'in', hashes)
    .where('user_id', '=', userId)
    .$if(tokenId !== null, (query) =>
      query.where((eb) => eb.or([eb('token_id', '=', tokenId), eb('token_id', 'is', null)])),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
