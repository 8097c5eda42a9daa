import type { tokenRoutes } from '@tollgate/contract'

/** A token, for tests. */
export const aToken = (fields: Partial<tokenRoutes.TokenEntity> = {}): tokenRoutes.TokenEntity => ({
  id: 7,
  user_id: 1,
  key: 'Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv12Wx34',
  name: 'Web shop',
  status: 1,
  created_time: 1_700_000_000,
  accessed_time: 0,
  last_ip: '',
  expired_time: -1,
  remain_quota: 500_000,
  remain_quota_read: 500_000,
  used_quota: 0,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  rate_limit_enabled: false,
  rate_limit_period: 60,
  rate_limit_count: 1000,
  rate_limit_success: 10,
  response_cache: 'group',
  previous_key_until: 0,
  ...fields,
})
