import type { SampleTable, Value } from './statements'

/** The passwords of the sample users, by bcrypt at its lowest cost. */
export const samplePassword = 'old password 1'
export const hash = await Bun.password.hash(samplePassword, { algorithm: 'bcrypt', cost: 4 })

/** Keys of clients, as the sites store them. */
export const sampleKeys = {
  ann: 'A'.repeat(40) + '00000001',
  dashed: 'team-blue-0123456789abcdef0123456789abcdef',
} as const

export const userColumns = {
  id: 'id',
  username: 'text',
  password: 'text',
  display_name: 'text',
  role: 'int',
  status: 'int',
  email: 'text',
  github_id: 'text',
  wechat_id: 'text',
  oidc_id: 'text',
  access_token: 'fixed',
  quota: 'int',
  used_quota: 'int',
  request_count: 'int',
  group: 'text',
  aff_code: 'text',
  inviter_id: 'int',
} as const
export const laterUserColumns = {
  ...userColumns,
  telegram_id: 'text',
  linux_do_id: 'text',
  aff_count: 'int',
  aff_quota: 'int',
  aff_history: 'int',
  setting: 'text',
  deleted_at: 'time',
} as const
export const tokenColumns = {
  id: 'id',
  user_id: 'int',
  key: 'fixed',
  status: 'int',
  name: 'text',
  created_time: 'int',
  accessed_time: 'int',
  expired_time: 'int',
  remain_quota: 'int',
  unlimited_quota: 'flag',
  used_quota: 'int',
} as const
export const laterTokenColumns = {
  ...tokenColumns,
  model_limits_enabled: 'flag',
  model_limits: 'text',
  allow_ips: 'text',
  group: 'text',
  deleted_at: 'time',
} as const
export const channelColumns = {
  id: 'id',
  type: 'int',
  key: 'text',
  status: 'int',
  name: 'text',
  weight: 'int',
  created_time: 'int',
  test_time: 'int',
  response_time: 'int',
  base_url: 'text',
  other: 'text',
  balance: 'decimal',
  balance_updated_time: 'int',
  models: 'text',
  group: 'text',
  used_quota: 'int',
  model_mapping: 'text',
  priority: 'int',
} as const
export const laterChannelColumns = {
  ...channelColumns,
  openai_organization: 'text',
  test_model: 'text',
  status_code_mapping: 'text',
  auto_ban: 'int',
  other_info: 'text',
  tag: 'text',
  setting: 'text',
  param_override: 'text',
} as const
export const codeColumns = {
  id: 'id',
  user_id: 'int',
  key: 'fixed',
  status: 'int',
  name: 'text',
  quota: 'int',
  created_time: 'int',
  redeemed_time: 'int',
} as const
export const logColumns = {
  id: 'id',
  user_id: 'int',
  created_at: 'int',
  type: 'int',
  content: 'text',
  username: 'text',
  token_name: 'text',
  model_name: 'text',
  quota: 'int',
  prompt_tokens: 'int',
  completion_tokens: 'int',
  channel_id: 'int',
  is_stream: 'flag',
} as const
export const laterLogColumns = {
  ...logColumns,
  use_time: 'int',
  token_id: 'int',
  group: 'text',
  other: 'text',
} as const
export const optionColumns = { key: 'text', value: 'text' } as const
export const hourColumns = {
  id: 'id',
  user_id: 'int',
  username: 'text',
  model_name: 'text',
  created_at: 'int',
  token_used: 'int',
  count: 'int',
  quota: 'int',
} as const

export const born = 1_750_000_000
export const options = (values: Readonly<Record<string, string>>): SampleTable => ({
  columns: optionColumns,
  rows: Object.entries(values).map(([key, value]) => ({ key, value })),
})

export const user = (id: number, username: string, more: Readonly<Record<string, Value>> = {}) => ({
  id,
  username,
  password: hash,
  display_name: username,
  role: 1,
  status: 1,
  email: `${username}@example.com`,
  quota: 1_000_000,
  used_quota: 0,
  request_count: 0,
  group: 'default',
  aff_code: `c${id}`,
  ...more,
})
export const root = user(1, 'root', { role: 100, quota: 100_000_000, used_quota: 5000, request_count: 3 })
export const ann = user(2, 'ann', { used_quota: 7000, request_count: 2 })

export const token = (id: number, key: string, more: Readonly<Record<string, Value>> = {}) => ({
  id,
  user_id: 2,
  key,
  status: 1,
  name: `key ${id}`,
  created_time: born,
  accessed_time: born + 60,
  expired_time: -1,
  remain_quota: 500_000,
  unlimited_quota: false,
  used_quota: 0,
  ...more,
})
export const channel = (id: number, type: number, more: Readonly<Record<string, Value>> = {}) => ({
  id,
  type,
  key: `sk-channel-${id}-0123456789`,
  status: 1,
  name: `channel ${id}`,
  weight: 1,
  created_time: born,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  models: id === 1 ? 'gpt-4o,gpt-4o-mini' : `model-${id}`,
  group: 'default',
  used_quota: 0,
  model_mapping: '',
  priority: 0,
  ...more,
})
export const code = (id: number, more: Readonly<Record<string, Value>> = {}) => ({
  id,
  user_id: 1,
  key: String(id).padStart(32, 'c'),
  status: 1,
  name: 'spring',
  quota: 10_000,
  created_time: born,
  redeemed_time: 0,
  ...more,
})

export const ratios = {
  ModelRatio: '{"gpt-4o":1.5,"house-model":0.5}',
  CompletionRatio: '{"gpt-4o":3}',
}

/** The log begins here: an hour of 2025. */
export const sampleLogStart = 1_752_000_000 - (1_752_000_000 % 3600)
export const call = (id: number, at: number, more: Readonly<Record<string, Value>> = {}) => ({
  id,
  user_id: 2,
  created_at: sampleLogStart + at,
  type: 2,
  content: '',
  username: 'ann',
  token_name: 'key 1',
  model_name: 'gpt-4o',
  quota: 1000,
  prompt_tokens: 100,
  completion_tokens: 20,
  channel_id: 1,
  is_stream: true,
  ...more,
})
