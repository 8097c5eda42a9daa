import type { tokenRoutes } from '@tollgate/contract'

import type { AuditNote } from '../../accounts/audit/audit-log'

/** Returns what the audit log keeps of a token: what its owner decides, and never the key. The balance changes by spending. */
const factsOf = (token: tokenRoutes.TokenEntity, hasQuota: boolean) => ({
  name: token.name,
  status: token.status,
  expired_time: token.expired_time,
  ...(hasQuota && { remain_quota: token.remain_quota }),
  unlimited_quota: token.unlimited_quota,
  model_limits_enabled: token.model_limits_enabled,
  model_limits: token.model_limits,
  allow_ips: token.allow_ips,
  group: token.group,
  rate_limit_enabled: token.rate_limit_enabled,
  rate_limit_period: token.rate_limit_period,
  rate_limit_count: token.rate_limit_count,
  rate_limit_success: token.rate_limit_success,
})

interface TokenChange {
  /** Null: a new one. */
  readonly before: tokenRoutes.TokenEntity | null
  readonly after: tokenRoutes.TokenEntity
  /** The call may change the quota. */
  readonly hasQuota: boolean
}

/** Records in the audit log what happened to a token. */
export function noteToken(audit: AuditNote, { before, after, hasQuota }: TokenChange): void {
  audit.target('token', after.id, after.name)
  audit.changed(before ? factsOf(before, hasQuota) : {}, factsOf(after, hasQuota))
}
