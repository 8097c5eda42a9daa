import { redirectProviders, type ErrorCode } from '@tollgate/contract'
import { z } from 'zod'

const minute = 60

/** A kind of one-time flow: something that is valid once and for a short time. */
export interface FlowKind {
  /** `token`: 256 random bits, for links and addresses. `code`: six digits that people type; few guesses are allowed. */
  readonly secret: 'token' | 'code'
  readonly seconds: number
  /** Only the browser that requested it can use it. A link in a mail may be opened elsewhere. */
  readonly isBrowserBound: boolean
  /** The error for a flow that is wrong, used, expired or for another purpose. */
  readonly refusal: ErrorCode
  /** The schema of the data that is stored until the flow is used. */
  readonly payload: z.ZodType
}

const emptyPayload = z.object({})

/** Every kind of flow, by its purpose. */
export const flowKinds = {
  /** Proves a mail address at registration. Subject: the address. */
  'register-mail': {
    secret: 'code',
    seconds: 10 * minute,
    isBrowserBound: true,
    refusal: 'code.wrong',
    payload: emptyPayload,
  },
  /** Proves a mail address to be added to an account. Subject: the user's id and the address. */
  'bind-mail': {
    secret: 'code',
    seconds: 10 * minute,
    isBrowserBound: true,
    refusal: 'code.wrong',
    payload: emptyPayload,
  },
  /** Sets a new password. Subject: the mail address. */
  'reset-password': {
    secret: 'token',
    seconds: 15 * minute,
    isBrowserBound: false,
    refusal: 'reset.invalid',
    payload: z.object({ userId: z.number().int() }),
  },
  /** The state of a sign-in through a provider. No subject: the returning user is not known yet. */
  'external-sign-in': {
    secret: 'token',
    seconds: 10 * minute,
    isBrowserBound: true,
    refusal: 'oauth.state',
    payload: z.object({
      /** Null: any provider whose authorize URL clients may build themselves. */
      provider: z.enum(redirectProviders).nullable(),
      /** The expected issuer of the ID token; empty without OpenID Connect. */
      issuer: z.string(),
      /** The account to link to; null for a sign-in. */
      bindTo: z.object({ userId: z.number().int(), session: z.string() }).nullable(),
      invitation: z.string(),
      returnTo: z.string().nullable(),
    }),
  },
  /** A code of the WeChat public account. Subject: the WeChat id. */
  'wechat-code': {
    secret: 'token',
    seconds: 3 * minute,
    isBrowserBound: false,
    refusal: 'code.wrong',
    payload: emptyPayload,
  },
  /** The hash of a Telegram assertion, which is accepted for at most six minutes. Subject: the Telegram id. */
  'telegram-assertion': {
    secret: 'token',
    seconds: 10 * minute,
    isBrowserBound: false,
    refusal: 'oauth.assertion',
    payload: emptyPayload,
  },
  /** Completes a sign-in by a second factor; its secret is also the challenge for a passkey. Subject: none, the payload has the user. */
  'second-factor': {
    secret: 'token',
    seconds: 5 * minute,
    isBrowserBound: true,
    refusal: 'login.expired',
    payload: z.object({
      userId: z.number().int(),
      /** Digest of the password's hash at the time: a change of the password invalidates a half-finished sign-in. */
      password: z.string(),
    }),
  },
  /** The challenge of a sign-in by passkey. Subject: none. */
  'passkey-sign-in': {
    secret: 'token',
    seconds: 5 * minute,
    isBrowserBound: true,
    refusal: 'passkey.failed',
    payload: emptyPayload,
  },
  /** The challenge by which a signed-in user proves their identity again. Subject: the user's id and the purpose. */
  'passkey-step-up': {
    secret: 'token',
    seconds: 5 * minute,
    isBrowserBound: true,
    refusal: 'passkey.failed',
    payload: emptyPayload,
  },
  /** The challenge of a new passkey. Subject: the user's id. */
  'add-passkey': {
    secret: 'token',
    seconds: 10 * minute,
    isBrowserBound: true,
    refusal: 'passkey.failed',
    payload: z.object({ userHandle: z.string() }),
  },
  /** Lets the browser of one session fetch a file by its address. Subject: the user's id and the file. */
  download: {
    secret: 'token',
    seconds: minute,
    isBrowserBound: true,
    refusal: 'download.expired',
    payload: emptyPayload,
  },
  /** A new secret for an authenticator app. Subject: the user's id. */
  'set-up-totp': {
    secret: 'token',
    seconds: 15 * minute,
    isBrowserBound: true,
    refusal: 'factor.wrong',
    /** Sealed for its row. */
    payload: z.object({ secret: z.string() }),
  },
} as const satisfies Record<string, FlowKind>

export type FlowPurpose = keyof typeof flowKinds

export type FlowPayload<Purpose extends FlowPurpose> = z.output<(typeof flowKinds)[Purpose]['payload']>

/** The subject of a flow, and the hash of the browser's cookie where the kind is bound to one. */
export type FlowHolder<Purpose extends FlowPurpose> = {
  readonly subject: string
} & ((typeof flowKinds)[Purpose]['isBrowserBound'] extends true
  ? { readonly browser: string | null }
  : { readonly browser?: undefined })
