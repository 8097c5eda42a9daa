/** What calls left in the accounts of vendors: see `vendor-objects`. */
interface VendorObjectsTable {
  /** SHA-256 of the id under which the client knows it. */
  id_hash: string
  user_id: number
  /** The key that made it; 0: the playground; null: not known. */
  token_id: number | null
  channel_id: number
  /** That of the channel's key: another key may be of another account. */
  key_fingerprint: string
  /** Tokens of a response and everything before it; null: not known. */
  tokens: number | null
  /** The vendor's id, where the client knows the object by one of the gateway's own; otherwise empty. */
  vendor_id: string
  expires_at: number
}

export interface VendorObjectTables {
  vendor_objects: VendorObjectsTable
}
