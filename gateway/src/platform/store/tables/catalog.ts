import type { channelRoutes } from '@tollgate/contract'
import type { Generated } from 'kysely'

type Fields = channelRoutes.ChannelFields
/** The database knows what the others are at first. */
type RequiredField = 'name' | 'tag'
type ChannelFieldColumns = Pick<Fields, RequiredField> & {
  [Name in Exclude<keyof Fields, RequiredField>]: Generated<Fields[Name]>
}

export interface ChannelsTable extends ChannelFieldColumns {
  id: Generated<number>
  type: number
  key_sealed: string
  /** JSON, sealed: whole texts of the fields in which credentials are masked. Empty: there are none. */
  secrets_sealed: Generated<string>
  /** JSON: fingerprint of a key -> {status, reason, time}; a key without an entry is enabled. */
  key_states: Generated<string>
  status: Generated<number>
  /** JSON {status_reason, status_time}. */
  other_info: Generated<string>
  /** Milliseconds of the last test; 0: untested. */
  response_time: Generated<number>
  test_time: Generated<number>
  /** Why the last test failed, with secrets masked; empty: it passed. */
  test_failure: Generated<string>
  /** As the vendor reports it. */
  balance: Generated<number>
  /** ISO 4217; empty: reported to an earlier release, which did not store it. */
  balance_currency: Generated<string>
  balance_updated_time: Generated<number>
  used_quota: Generated<number>
  created_time: number
}

interface OptionsTable {
  key: string
  /** Secrets are sealed. */
  value: string
}

/** One change of one option. Of a secret only whether it was set: `set`, or nothing. */
interface OptionChangesTable {
  id: Generated<number>
  key: string
  created_at: number
  request_id: string
  user_id: number
  username: string
  before: string
  after: string
}

/** Sale prices of models and their costs at channels. */
interface PriceEntriesTable {
  /** 0: the sale price. */
  channel_id: number
  /** Empty: the factor of a channel. */
  model: string
  /** JSON of a price entry, or of a factor. */
  entry: string
  updated_at: number
  /** User name; empty where no user wrote it. */
  updated_by: string
  source: 'own' | 'sync'
}

/** Channels, options and prices. */
export interface CatalogTables {
  channels: ChannelsTable
  options: OptionsTable
  option_changes: OptionChangesTable
  price_entries: PriceEntriesTable
}
