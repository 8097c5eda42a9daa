import {
  ann,
  born,
  call,
  channel,
  channelColumns,
  code,
  codeColumns,
  logColumns,
  options,
  ratios,
  root,
  sampleKeys,
  token,
  tokenColumns,
  user,
  userColumns,
} from './rows'
import type { SampleSite } from './statements'

/** One-api: no soft deletion, types of its own, parts of keys in `config`. */
export const oneApiSite: SampleSite = {
  users: {
    columns: { ...userColumns, lark_id: 'text' },
    rows: [
      root,
      { ...ann, github_id: 'ann-gh', lark_id: 'ou_1', wechat_id: 'wx-ann', access_token: 'a'.repeat(32) },
      user(3, 'gone', { status: 3, email: 'gone@example.com', quota: -20 }),
      user(4, 'twin', { email: 'ANN@example.com', password: '', group: 'team' }),
      user(5, 'Ann', { email: null, aff_code: 'c2', display_name: null, role: 7 }),
    ],
  },
  tokens: {
    columns: { ...tokenColumns, models: 'text', subnet: 'text' },
    rows: [
      token(1, sampleKeys.ann, { used_quota: 7000, models: 'gpt-4o,gpt-4o-mini', subnet: '10.0.0.0/8,127.0.0.1' }),
      token(2, 'B'.repeat(48), { status: 4, remain_quota: -50, models: null }),
      token(3, 'C'.repeat(48), { user_id: 99, remain_quota: 77 }),
      token(4, 'D'.repeat(48), { subnet: 'somewhere', unlimited_quota: true, remain_quota: 0 }),
    ],
  },
  channels: {
    columns: { ...channelColumns, config: 'text', system_prompt: 'text' },
    rows: [
      channel(1, 1, { base_url: 'http://127.0.0.1:9/', used_quota: 7000 }),
      channel(2, 29, { models: 'llama-3' }),
      channel(3, 33, {
        key: 'old',
        config: '{"region":"us-east-1","ak":"AKIA0000","sk":"secret0000"}',
        models: 'claude-3-haiku-20240307',
      }),
      channel(4, 38, { models: 'deepl-zh' }),
      channel(5, 3, { base_url: 'https://x.openai.azure.com', config: '{"api_version":"2024-06-01"}' }),
      channel(6, 36, { system_prompt: 'Be brief.', models: 'deepseek-chat', group: 'default,team' }),
    ],
  },
  redemptions: { columns: codeColumns, rows: [code(1), code(2, { status: 3, redeemed_time: born + 5 })] },
  options: options({ ...ratios, GroupRatio: '{"default":1}', SystemName: 'Old site', Theme: 'berry' }),
  abilities: { columns: { group: 'text', model: 'text', channel_id: 'int' }, rows: [] },
  logs: {
    columns: { ...logColumns, request_id: 'text', elapsed_time: 'int' },
    rows: [
      call(1, 10, { elapsed_time: 2600, request_id: 'r1' }),
      call(2, 20, { quota: 6000, request_id: 'r2' }),
      call(3, 30, { type: 5, content: 'test', quota: 0 }),
    ],
  },
}
