import type { OptionValues, RedirectProvider } from '@tollgate/contract'

import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { ExternalAccount } from './external-account'

/** A provider that a browser is sent to with a state, and comes back from with a code. */
export interface RedirectSignIn {
  readonly provider: RedirectProvider
  /** A client that knows no more than the state can send a browser there. */
  readonly isOpenToAnyClient: boolean
  isOn(options: OptionValues): boolean
  /** @throws AppError `oauth.unreachable`, `oauth.address`. */
  prepare(ctx: Context): Promise<Prepared>
  /**
   * Resolves with the account that the code stands for. The code is used up.
   * @throws AppError `oauth.unreachable`, `oauth.refused`, `oauth.empty`.
   */
  accountOf(ctx: Context, returned: Returned): Promise<ExternalAccount>
}

interface Prepared {
  /** Who will vouch for the account; empty where the provider is always the same. */
  readonly issuer: string
  authorizeUrl(state: string): string
}

/** What a browser came back with. */
export interface Returned {
  readonly code: string
  readonly state: string
  /** As the browser says: https://www.rfc-editor.org/rfc/rfc9207 */
  readonly iss: string | undefined
  /** Whom it was sent to. */
  readonly issuer: string
}

/**
 * The page of the console that a provider sends browsers back to.
 * @throws AppError `oauth.address` while the site does not know its own address.
 */
export function callbackUrl({ ServerAddress }: OptionValues, provider: RedirectProvider): string {
  if (ServerAddress === '') throw new AppError('oauth.address')
  return `${ServerAddress}/oauth/${provider}`
}

/** Returns an address with a query. */
export function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
