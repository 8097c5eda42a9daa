import type { redemptionRoutes } from '@tollgate/contract'

/** An unused code, as administrators of codes see it. */
export const aRedemptionCode = (
  fields: Partial<redemptionRoutes.RedemptionEntity> = {},
): redemptionRoutes.RedemptionEntity => ({
  id: 7,
  name: 'Spring',
  key: 'abcd1234efgh5678abcd1234efgh5678',
  status: 1,
  kind: 'quota',
  quota: 1_000_000,
  quota_days: 0,
  plan_id: 0,
  plan: '',
  created_time: 1_700_000_000,
  user_id: 1,
  used_user_id: 0,
  used_username: '',
  redeemed_time: 0,
  is_gift: false,
  max_uses: -1,
  used_count: 0,
  valid_from: 0,
  valid_until: 0,
  ...fields,
})
