import * as z from 'zod'

import { route } from '../http/route'
import {
  factorKinds,
  FactorProof,
  NewPasskeyRequest,
  NewPasskeyResponse,
  PasskeyRequest,
  PasskeyResponse,
  stepUpPurposes,
} from '../rights/second-factor'
import { nameText } from '../pricing/units'
import { SignedIn } from './session'

/** What a passkey signs is longer than a name and a password. */
const passkeyBytes = 32_768

export const completeLogIn = route({
  method: 'POST',
  path: '/api/user/login/factor',
  maxBodyBytes: passkeyBytes,
  audit: 'session.begin',
  access: 'guest',
  isWrite: false,
  summary: 'Complete a sign-in that was refused with `login.second_factor`; sets the session cookie',
  body: z.object({
    /** The token in the refusal. */
    token: z.string().max(255),
    proof: FactorProof,
  }),
  data: SignedIn,
})

export const beginPasskeyLogIn = route({
  method: 'POST',
  path: '/api/user/login/passkey/begin',
  audit: null,
  access: 'guest',
  isWrite: false,
  summary: 'The options with which the browser is asked for a passkey, to sign in without a user name',
  data: PasskeyRequest,
})

export const passkeyLogIn = route({
  method: 'POST',
  path: '/api/user/login/passkey',
  maxBodyBytes: passkeyBytes,
  audit: 'session.begin',
  access: 'guest',
  isWrite: false,
  summary: 'Sign in by a passkey, which is both factors in one; sets the session cookie',
  body: z.object({ answer: PasskeyResponse }),
  data: SignedIn,
})

export const beginPasskeyStepUp = route({
  method: 'POST',
  path: '/api/user/step_up/passkey',
  audit: null,
  access: 'user',
  isWrite: false,
  isOpenWithoutFactor: true,
  summary: 'The options with which the browser is asked for a passkey, to prove an identity again',
  body: z.object({ purpose: z.enum(stepUpPurposes) }),
  data: PasskeyRequest,
})

export const maxPasskeyNameLength = 60

export const PasskeyEntity = z.object({
  /** The credential’s, base64url. */
  id: z.string(),
  name: z.string(),
  created_at: z.number().int(),
  /** Null: never. */
  last_used_at: z.number().int().nullable(),
  /** The user's other devices have it too. */
  is_backed_up: z.boolean(),
})
export type PasskeyEntity = z.output<typeof PasskeyEntity>

export const Factors = z.object({
  /** When the authenticator app was set up; null: it was not. */
  totp_since: z.number().int().nullable(),
  /** How many are left. */
  recovery_codes: z.number().int(),
  passkeys: z.array(PasskeyEntity),
  /** The caller’s role requires a second factor. */
  is_required: z.boolean(),
  has_password: z.boolean(),
  /** Passkeys need an address with a host name: see the option `ServerAddress`. */
  can_use_passkeys: z.boolean(),
  /** The second factors that the caller has. */
  factors: z.array(z.enum(factorKinds)),
})
export type Factors = z.output<typeof Factors>

export const getFactors = route({
  method: 'GET',
  path: '/api/user/factors',
  access: 'self.read',
  isOpenWithoutFactor: true,
  summary: 'The caller’s second factors',
  data: Factors,
})

const factorStepUp = { purpose: 'factors' } as const

/** Codes are shown this once; null where the caller has some already. */
const NewRecoveryCodes = z.array(z.string()).nullable()

export const beginTotp = route({
  method: 'POST',
  path: '/api/user/factors/totp/begin',
  isWrite: false,
  audit: null,
  stepUp: factorStepUp,
  access: 'self.write',
  isOpenWithoutFactor: true,
  summary: 'A new secret for an authenticator app; nothing changes until it is confirmed',
  data: z.object({
    /** For the call that confirms it, from the same browser. */
    token: z.string(),
    /** Base32. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    uri: z.string(),
  }),
})

export const confirmTotp = route({
  method: 'POST',
  path: '/api/user/factors/totp',
  audit: 'self.set_up_totp',
  access: 'self.write',
  isOpenWithoutFactor: true,
  limit: 'critical',
  summary: 'Confirm a new authenticator app with a code from it; replaces the previous one',
  body: z.object({ token: z.string().max(255), code: z.string().max(64) }),
  data: z.object({ recovery_codes: NewRecoveryCodes }),
})

export const removeTotp = route({
  method: 'DELETE',
  path: '/api/user/factors/totp',
  audit: 'self.remove_totp',
  stepUp: factorStepUp,
  access: 'self.write',
  summary: 'Stop using the authenticator app',
})

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/api/user/factors/recovery_codes',
  audit: 'self.renew_recovery_codes',
  stepUp: factorStepUp,
  access: 'self.write',
  isOpenWithoutFactor: true,
  summary: 'New recovery codes, shown only once; the previous ones stop working',
  data: z.array(z.string()),
})

export const beginPasskey = route({
  method: 'POST',
  path: '/api/user/passkeys/begin',
  isWrite: false,
  audit: null,
  stepUp: factorStepUp,
  access: 'self.write',
  isOpenWithoutFactor: true,
  summary: 'The options with which the browser is asked to create a passkey',
  data: NewPasskeyRequest,
})

const PasskeyName = nameText(maxPasskeyNameLength).min(1)

export const addPasskey = route({
  method: 'POST',
  path: '/api/user/passkeys',
  audit: 'self.add_passkey',
  access: 'self.write',
  limit: 'critical',
  isOpenWithoutFactor: true,
  summary: 'Store the passkey that the browser created',
  body: z.object({ name: PasskeyName, answer: NewPasskeyResponse }),
  data: z.object({ passkey: PasskeyEntity, recovery_codes: NewRecoveryCodes }),
})

const PasskeyId = z.object({ id: z.string().max(2048) })

export const renamePasskey = route({
  method: 'PUT',
  path: '/api/user/passkeys/{id}',
  audit: 'self.rename_passkey',
  access: 'self.write',
  summary: 'Rename a passkey',
  params: PasskeyId,
  body: z.object({ name: PasskeyName }),
})

export const removePasskey = route({
  method: 'DELETE',
  path: '/api/user/passkeys/{id}',
  audit: 'self.remove_passkey',
  stepUp: factorStepUp,
  access: 'self.write',
  summary: 'Stop accepting a passkey',
  params: PasskeyId,
})
