import type { OptionValues, RedirectProvider } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { ExternalAccount } from './external-account'

/** A provider that uses the authorization code flow: the browser is sent there with a state and returns with a code. */
export interface RedirectSignIn {
  readonly provider: RedirectProvider
  /** Whether clients may build the authorize URL themselves, from the state alone. */
  readonly isOpenToAnyClient: boolean
  isOn(options: OptionValues): boolean
  /** @throws AppError `oauth.unreachable`, `oauth.address`. */
  prepare(ctx: Context): Promise<Prepared>
  /**
   * Exchanges the code for the account.
   * @throws AppError `oauth.unreachable`, `oauth.refused`, `oauth.empty`.
   */
  accountOf(ctx: Context, returned: Returned): Promise<ExternalAccount>
}

interface Prepared {
  /** The expected issuer of the ID token; empty without OpenID Connect. */
  readonly issuer: string
  authorizeUrl(state: string): string
}

/** The provider's response, as the browser delivered it. */
export interface Returned {
  readonly code: string
  readonly state: string
  /** https://www.rfc-editor.org/rfc/rfc9207 */
  readonly iss: string | undefined
  /** The issuer at the time the state was created. */
  readonly issuer: string
}

/**
 * Returns the console page that the provider redirects to.
 * @throws AppError `oauth.address` if `ServerAddress` is empty.
 */
export function callbackUrl({ ServerAddress }: OptionValues, provider: RedirectProvider): string {
  if (ServerAddress === '') throw new AppError('oauth.address')
  return `${ServerAddress}/oauth/${provider}`
}

/** Returns the URL with the query parameters added. */
export function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
