/**
 * The purposes for which a signed-in caller proves their identity again. A proof is for one of these, for one session or access token, and
 * for a few minutes.
 */
export const stepUpPurposes = [
  'access_token',
  'backup',
  'channel_address',
  'close_account',
  'email',
  'identity',
  'factors',
  'order',
  'password',
  'rights',
  'token_key',
  'user_factors',
] as const
export type StepUpPurpose = (typeof stepUpPurposes)[number]

/** The header that carries the proof; the calls keep their shapes. */
export const stepUpHeader = 'Tollgate-Step-Up'

/** How a route requires it. */
export interface StepUp {
  readonly purpose: StepUpPurpose
  /** The handler decides whether the call needs it. */
  readonly isUpToHandler?: true
  /** Only where this member of the body is given. */
  readonly whenGiven?: string
  /** The member of the body that may contain the password instead, as existing clients send it. */
  readonly password?: string
}
