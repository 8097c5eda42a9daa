import { presetOf, role, type accountRoutes, type RouteResult, type userRoutes } from '@tollgate/contract'

type Self = RouteResult<typeof accountRoutes.getSelf>

/** An account as its owner reads it. */
export const anAccount = (fields: Partial<Self> = {}): Self => ({
  id: 1,
  username: 'ada',
  display_name: 'Ada Lovelace',
  role: 1,
  status: 1,
  group: 'default',
  quota: 5_000_000,
  quota_read: 5_000_000,
  used_quota: 250_000,
  request_count: 1234,
  aff_count: 3,
  aff_quota: 0,
  aff_history_quota: 1_500_000,
  inviter_id: 0,
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  email: '',
  setting: '{}',
  created_at: 1_700_000_000,
  DeletedAt: null,
  grants: [],
  has_second_factor: false,
  has_plans: false,
  ...fields,
})

/** An account of another user, as an administrator reads it. */
export const aMember = (fields: Partial<userRoutes.UserEntity> = {}): userRoutes.UserEntity =>
  anAccount({
    id: 7,
    username: 'mei',
    display_name: 'Mei',
    grants: [...presetOf(fields.role ?? role.user)],
    ...fields,
  })
