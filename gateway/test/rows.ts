import { channelRoutes, logType } from '@tollgate/contract'

import type { CatalogRow } from '../src/channels/catalog/read-channel'
import type { LogRow } from '../src/platform/store/tables'

/** Returns a row of the usage log: what Ann used with her key `main`. */
export const aLogRow = (fields: Partial<LogRow> = {}): Omit<LogRow, 'id'> => ({
  request_id: 'r',
  created_at: 1_800_000_000,
  type: logType.consumption,
  user_id: 1,
  username: 'ann',
  token_id: 1,
  token_name: 'main',
  model_name: 'gpt-4o',
  group: 'default',
  channel_id: 1,
  channel_name: 'one',
  is_stream: 0,
  use_time: 2,
  prompt_tokens: 10,
  completion_tokens: 5,
  quota: 100,
  content: '',
  client_ip: '',
  other: '',
  ...fields,
})

/** Returns a channel row for building the catalog: to OpenAI, with one model. */
export const aCatalogRow = (fields: Partial<CatalogRow> = {}): CatalogRow => ({
  id: 1,
  type: 1,
  key_sealed: 'sk-1',
  secrets_sealed: '',
  key_states: '{}',
  status: 1,
  ...channelRoutes.blankFields,
  name: 'one',
  models: 'gpt-4o',
  ...fields,
})

/** Returns a passkey row of a user, which no authenticator has. */
export const aPasskeyRow = (userId: number) => ({
  credential_id: `key of ${userId}`,
  user_id: userId,
  user_handle: 'h',
  name: 'Laptop',
  public_key: '',
  counter: 0,
  transports: '',
  aaguid: '',
  is_backed_up: 0,
  created_at: 1,
  last_used_at: null,
})
