import { statusOf, type ErrorCode } from '@tollgate/contract'

/** Refusals of a caller that are business failures on the wire. Those with status 403 are refusals by themselves. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'auth.token_invalid',
  'auth.user_invalid',
  'user.banned',
  'user.deregistered',
  'login.password_off',
  'login.failed',
  'factor.wrong',
  'passkey.failed',
  'user.password_original',
  'user.rank_edit',
  'user.rank_raise',
  'user.rank_delete',
  'user.rank_create',
  'root.self_delete',
  'root.disable',
  'root.delete',
  'root.demote',
  'promote.root_only',
  'channel.key_again',
  'log.recent',
])

/** Returns whether a code means that the caller was denied something, rather than that the input was wrong. */
export const isRefusal = (code: ErrorCode): boolean =>
  // Being asked for the password is a question, not a refusal.
  (statusOf(code) === 403 && code !== 'auth.step_up') || refusals.has(code)

/** Failed calls to a vendor: its key was sent nevertheless. */
const failedAtVendor: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'channel.test_failed',
  'channel.balance_failed',
  'channel.fetch_failed',
])

/** Returns whether an action may have happened in spite of this code. */
export const isUncertain = (code: ErrorCode): boolean =>
  statusOf(code) >= 500 || code === 'db.error' || failedAtVendor.has(code)
