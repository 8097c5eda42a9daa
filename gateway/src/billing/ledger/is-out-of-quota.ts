import { AppError } from '../../platform/app-error'

/** Returns whether the ledger refused a call because the balance of its user or its key does not cover it. */
export const isOutOfQuota = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'quota.user' || error.code === 'quota.token')
