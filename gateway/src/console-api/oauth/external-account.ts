import type { ErrorCode } from '@tollgate/contract'

import type { Identity } from '../../accounts/identities/identities'

/** An account at a provider, verified by the provider. */
export interface ExternalAccount extends Identity {
  /**
   * Throws if the account may not be used for registration or linking. Existing members are not checked.
   * @throws AppError
   */
  checkNew?(): void
  /** Resolves with the name and mail address for a new account. Called at registration only. */
  profile(): Promise<Profile>
  /** The error for an unlinked account while registration is closed. Default: `register.off`. */
  readonly unknown?: ErrorCode
}

/** What a provider says about a new member. Only the mail address is verified. */
export interface Profile {
  readonly displayName?: string | undefined
  /** The preferred user name, used if it is valid and free. */
  readonly username?: string | undefined
  /** Set only if the provider has verified it. */
  readonly email?: string | undefined
}
