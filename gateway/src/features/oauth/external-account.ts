import type { ErrorCode } from '@tollgate/contract'

import type { Identity } from '../../accounts/identities'

/** An account at a provider, as the provider vouches for it. */
export interface ExternalAccount extends Identity {
  /**
   * Throws if the account is known and yet not good enough to be used here for the first time.
   * @throws AppError
   */
  checkNew?(): void
  /** Resolves with what a new member is called; asked for only then. */
  profile(): Promise<Profile>
  /** The refusal of an account that is not known while registration is closed. */
  readonly unknown?: ErrorCode
}

/** What a provider says of a new member. None of it can be relied on but the mail address. */
export interface Profile {
  readonly displayName?: string | undefined
  /** A user name to have if it is free. */
  readonly username?: string | undefined
  /** Only where the provider has verified it. */
  readonly email?: string | undefined
}
