import {
  ann,
  born,
  call,
  channel,
  code,
  codeColumns,
  hash,
  laterChannelColumns,
  laterLogColumns,
  laterTokenColumns,
  laterUserColumns,
  options,
  ratios,
  root,
  sampleKeys,
  token,
  user,
} from './rows'
import type { SampleSite } from './statements'

/** New-api: several keys with states, ids of GitHub, second factors, numbers of its own. */
export const newApiSite: SampleSite = {
  users: {
    columns: {
      ...laterUserColumns,
      discord_id: 'text',
      remark: 'text',
      created_at: 'int',
      last_login_at: 'int',
      auth_version: 'int',
    },
    rows: [
      { ...root, created_at: born },
      {
        ...ann,
        github_id: '583231',
        discord_id: 'd1',
        created_at: born,
        setting: '{"notify_type":"bark","language":"en"}',
      },
      user(3, 'old', { github_id: 'octocat', deleted_at: null }),
    ],
  },
  tokens: {
    columns: { ...laterTokenColumns, cross_group_retry: 'flag', auto_groups: 'json', key: 'text' },
    rows: [
      token(1, sampleKeys.ann, { used_quota: 7000, group: 'vip', allow_ips: '' }),
      token(2, sampleKeys.dashed, { unlimited_quota: true, used_quota: 3 }),
      token(3, 'E'.repeat(48), { status: 3, expired_time: born, auto_groups: '["a"]' }),
      token(4, 'F'.repeat(48), { status: 3 }),
    ],
  },
  channels: {
    columns: {
      ...laterChannelColumns,
      header_override: 'text',
      remark: 'text',
      channel_info: 'json',
      settings: 'text',
    },
    rows: [
      channel(1, 1, {
        key: 'sk-first-0123456789\nsk-second-0123456789\nsk-third-0123456789',
        base_url: 'http://127.0.0.1:9',
        group: 'default,vip',
        used_quota: 7000,
        channel_info:
          '{"is_multi_key":true,"multi_key_size":3,"multi_key_status_list":{"1":3},"multi_key_disabled_reason":{"1":"401"},"multi_key_disabled_time":{"1":1750000500},"multi_key_mode":"polling"}',
        header_override: '{"X-Team":"blue","Authorization":"Bearer {api_key}"}',
        setting: '{"system_prompt":"Be kind.","force_format":true,"unheard":1}',
        param_override: '{"temperature":0.5}',
      }),
      channel(2, 49, { other: 'bot-1', models: 'coze' }),
      channel(3, 41, {
        key: '[{"project_id":"p1","private_key":"a,b","client_email":"e"},{"project_id":"p2","private_key":"c","client_email":"e"}]',
        other: 'us-central1',
        models: 'gemini-2.5-pro',
      }),
      channel(4, 57, { models: 'codex', param_override: '{"operations":[]}' }),
      channel(5, 9999, { models: '' }),
    ],
  },
  redemptions: {
    columns: { ...codeColumns, used_user_id: 'int', expired_time: 'int', deleted_at: 'time' },
    rows: [code(1, { expired_time: 1_900_000_000 }), code(2, { key: '' })],
  },
  options: options({
    ...ratios,
    GroupRatio: '{"default":1}',
    ModelPrice: '{"suno":0.1,"odd(3)":1}',
    'checkin_setting.enabled': 'true',
    SMTPToken: 'mail secret',
    PasswordLoginEnabled: 'false',
    RetryTimes: 'many',
    'legal.user_agreement': 'x',
  }),
  two_fas: {
    columns: { id: 'id', user_id: 'int', secret: 'text', is_enabled: 'flag', created_at: 'time', deleted_at: 'time' },
    rows: [
      {
        id: 1,
        user_id: 2,
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        is_enabled: true,
        created_at: '2025-07-01 10:00:00',
      },
      { id: 2, user_id: 3, secret: '?', is_enabled: true },
      { id: 3, user_id: 1, secret: 'JBSWY3DPEHPK3PXP', is_enabled: false },
    ],
  },
  two_fa_backup_codes: {
    columns: { id: 'id', user_id: 'int', code_hash: 'text' },
    rows: [{ id: 1, user_id: 2, code_hash: hash }],
  },
  passkey_credentials: {
    columns: {
      id: 'id',
      user_id: 'int',
      credential_id: 'text',
      public_key: 'text',
      sign_count: 'int',
      transports: 'text',
      deleted_at: 'time',
    },
    rows: [
      { id: 1, user_id: 2, credential_id: 'a+b/cw==', public_key: 'pQEC', sign_count: 4, transports: '["internal"]' },
    ],
  },
  perf_metrics: { columns: { id: 'id' }, rows: [] },
  subscription_plans: { columns: { id: 'id', title: 'text' }, rows: [{ id: 1, title: 'Pro' }] },
  logs: {
    columns: { ...laterLogColumns, ip: 'text', request_id: 'text' },
    rows: [
      call(21, 10, { token_id: 1, group: 'vip', ip: '127.0.0.1', other: '{"frt":12}', use_time: 1 }),
      call(22, 20, { type: 5, quota: 0, token_id: 1, group: 'vip' }),
      call(23, 30, { type: 6, quota: 500, token_id: 1, group: 'vip' }),
    ],
  },
}
