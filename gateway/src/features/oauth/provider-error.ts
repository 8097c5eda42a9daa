import type { ErrorCode } from '@tollgate/contract'

import type { IdentityProvider } from '../../accounts/identities/identities'
import { providerNames } from '../../accounts/identities/provider-names'
import { AppError, type AppErrorDetails } from '../../app-error'

/** Returns an error whose message names the provider. */
export const providerError = (code: ErrorCode, provider: IdentityProvider, details: AppErrorDetails = {}): AppError =>
  new AppError(code, { ...details, params: { provider: providerNames[provider] } })
