import type { ErrorCode } from '@tollgate/contract'

import type { IdentityProvider } from '../../accounts/identities/identities'
import { providerName } from '../../accounts/identities/provider-names'
import { AppError, type AppErrorDetails } from '../../platform/app-error'
import type { Context } from '../../context'

/** Returns an error whose message names the provider. */
export const providerError = (
  { catalog }: Pick<Context, 'catalog'>,
  code: ErrorCode,
  provider: IdentityProvider,
  details: AppErrorDetails = {},
): AppError => new AppError(code, { ...details, params: { provider: providerName(provider, catalog.current.options) } })
