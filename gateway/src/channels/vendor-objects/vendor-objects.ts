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
  /** How many wait to be written. */
  readonly queued: number
  /** Writes the queue, as far as possible in the given time. Afterwards nothing is accepted. */
  close(): Promise<void>
}
