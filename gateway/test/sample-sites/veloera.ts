import {
  ann,
  born,
  call,
  channel,
  code,
  codeColumns,
  hourColumns,
  laterChannelColumns,
  laterLogColumns,
  laterTokenColumns,
  laterUserColumns,
  options,
  ratios,
  root,
  sampleKeys,
  sampleLogStart,
  token,
  user,
} from './rows'
import type { SampleSite } from './statements'

/** Veloera: keys separated by commas, gift codes, limits of rates. */
export const veloeraSite: SampleSite = {
  users: {
    columns: { ...laterUserColumns, last_check_in_time: 'time' },
    rows: [
      root,
      {
        ...ann,
        linux_do_id: '4711',
        aff_count: 2,
        aff_quota: 300,
        aff_history: 1000,
        setting:
          '{"notify_type":"webhook","webhook_url":"https://hook.example/x","webhook_secret":"s3","quota_warning_threshold":1000.5}',
      },
      user(3, 'gone', { deleted_at: '2025-07-01 10:00:00', email: 'ann@example.com', quota: 30 }),
      user(4, 'thief', { linux_do_id: '4711', quota: -12_345, inviter_id: 2, setting: null }),
    ],
  },
  tokens: {
    columns: {
      ...laterTokenColumns,
      rate_limit_enabled: 'flag',
      rate_limit_period: 'int',
      rate_limit_count: 'int',
      rate_limit_success: 'int',
    },
    rows: [
      token(1, sampleKeys.ann, {
        used_quota: 7000,
        model_limits_enabled: true,
        model_limits: 'gpt-4o',
        allow_ips: '127.0.0.1\n::1',
        rate_limit_enabled: true,
        rate_limit_period: 60,
        rate_limit_count: 30,
        rate_limit_success: 20,
      }),
      token(2, 'B'.repeat(48), { deleted_at: '2025-07-01 10:00:00', group: null }),
    ],
  },
  channels: {
    columns: { ...laterChannelColumns, model_prefix: 'text', system_prompt: 'text', max_input_tokens: 'int' },
    rows: [
      channel(1, 1, {
        key: 'sk-first-0123456789,sk-second-0123456789',
        base_url: 'http://127.0.0.1:9',
        used_quota: 7000,
      }),
      channel(2, 27, { models: 'sonar' }),
      channel(3, 14, { model_prefix: 'fast-', setting: '{"proxy":"socks5://127.0.0.1:1080"}', auto_ban: 0 }),
      channel(4, 24, { status: 3, other_info: '{"status_reason":"quota","status_time":1750000123}', tag: 'g' }),
    ],
  },
  redemptions: {
    columns: {
      ...codeColumns,
      used_user_id: 'int',
      is_gift: 'flag',
      max_uses: 'int',
      used_count: 'int',
      valid_from: 'int',
      valid_until: 'int',
      deleted_at: 'time',
    },
    rows: [
      code(1, { is_gift: true, max_uses: 10, used_count: 2 }),
      code(2, { status: 3, used_user_id: 2, redeemed_time: born + 5, max_uses: -1, is_gift: false }),
    ],
  },
  redemption_logs: {
    columns: { id: 'id', redemption_id: 'int', user_id: 'int', used_time: 'int' },
    rows: [
      { id: 1, redemption_id: 1, user_id: 2, used_time: born + 9 },
      { id: 2, redemption_id: 1, user_id: 4, used_time: born + 9 },
      { id: 3, redemption_id: 1, user_id: 4, used_time: born + 10 },
    ],
  },
  options: options({
    ...ratios,
    QuotaPerUnit: '1000000',
    GroupRatio: '{"default":1,"vip":0.8}',
    RebateEnabled: 'true',
  }),
  messages: { columns: { id: 'id', title: 'text' }, rows: [{ id: 1, title: 'hello' }] },
  quota_data: {
    columns: hourColumns,
    rows: [
      {
        id: 1,
        user_id: 2,
        username: 'ann',
        model_name: 'gpt-4o',
        created_at: sampleLogStart,
        token_used: 120,
        count: 1,
        quota: 900,
      },
      {
        id: 2,
        user_id: 2,
        username: 'ann',
        model_name: 'gpt-4o',
        created_at: sampleLogStart,
        token_used: 9,
        count: 1,
        quota: 100,
      },
      {
        id: 3,
        user_id: 2,
        username: 'ann',
        model_name: 'old',
        created_at: sampleLogStart - 7200,
        token_used: 1,
        count: 1,
        quota: 5,
      },
    ],
  },
  logs: {
    columns: { ...laterLogColumns, client_ip: 'text' },
    rows: [
      call(11, 10, { token_id: 1, group: 'default', other: '{"model_ratio":1.5,"use_time_ms":5}', use_time: 3 }),
      call(12, 3610, { token_id: 1, group: 'default', other: `{"input_content":"${'x'.repeat(200_000)}"}` }),
      call(13, 3700, { type: 6, quota: 0, content: 'failed', token_id: 1, group: 'default', other: '' }),
      call(14, 3800, { type: 5, quota: 0, model_name: '', token_name: '', channel_id: 0, other: null }),
      // A channel and a user that are gone.
      call(15, 3900, { user_id: 77, channel_id: 50, quota: 4000, token_id: 70, group: 'default', other: '{}' }),
    ],
  },
}
