import * as z from 'zod'

/** The proofs, besides the password, that the owner signs in. */
export const factorKinds = ['totp', 'recovery_code', 'passkey'] as const
export type FactorKind = (typeof factorKinds)[number]

const credential = z.object({
  /** Base64url. */
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})

/** The options with which a browser is asked for a passkey: PublicKeyCredentialRequestOptionsJSON of https://www.w3.org/TR/webauthn-3/ */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
  /** Empty: any passkey of this site that the browser has. */
  allowCredentials: z.array(credential),
})
export type PasskeyRequest = z.output<typeof PasskeyRequest>

/** The options with which a browser is asked to create a passkey: PublicKeyCredentialCreationOptionsJSON. */
export const NewPasskeyRequest = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: z.array(credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type NewPasskeyRequest = z.output<typeof NewPasskeyRequest>

const bytes = z.string().max(8192)

// Browsers add members as the standard grows.
const credentialFields = { id: z.string().max(2048), rawId: z.string().max(2048), type: z.literal('public-key') }

/** The browser's response to a `PasskeyRequest`. */
export const PasskeyResponse = z.looseObject({
  ...credentialFields,
  response: z.looseObject({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
})
export type PasskeyResponse = z.output<typeof PasskeyResponse>

/** The browser's response to a `NewPasskeyRequest`. */
export const NewPasskeyResponse = z.looseObject({
  ...credentialFields,
  response: z.looseObject({
    clientDataJSON: bytes,
    attestationObject: z.string().max(65_536),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
export type NewPasskeyResponse = z.output<typeof NewPasskeyResponse>

/** A proof by one of the factors. */
export const FactorProof = z.union([
  z.object({ kind: z.enum(['totp', 'recovery_code']), code: z.string().max(64) }),
  z.object({ kind: z.literal('passkey'), answer: PasskeyResponse }),
])
export type FactorProof = z.output<typeof FactorProof>

/** Accompanies the refusal `login.second_factor`: what the sign-in still lacks. */
export const SecondFactorRequest = z.object({
  /** For the call that completes the sign-in, from the same browser. */
  token: z.string(),
  /** Unix seconds. */
  expires_at: z.number().int(),
  factors: z.array(z.enum(factorKinds)),
  /** Where a passkey is one of the factors. */
  passkey: PasskeyRequest.optional(),
  /** The console page to show afterwards, where the sign-in at a provider named one. */
  return_to: z.string().nullable().optional(),
})
export type SecondFactorRequest = z.output<typeof SecondFactorRequest>

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
