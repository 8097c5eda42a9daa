import * as z from 'zod'

import { isOwnPath } from '../http/own-path'
import { redirectProviders, type RedirectProvider } from '../rights/accounts'
import { route } from '../http/route'
import { SignedIn } from './session'

/** The inviter's code, for a new account. */
const Invitation = z.string().max(64).optional()

/** A linked account signs in without the password, so linking one requires it. */
const bindStepUp = { purpose: 'identity' } as const

export const beginExternalSignIn = route({
  method: 'GET',
  path: '/api/oauth/state',
  access: 'optional',
  scope: 'self.write',
  limit: 'external',
  isSameSiteOnly: true,
  // To link an account, not to sign in.
  stepUp: { ...bindStepUp, isUpToHandler: true },
  summary:
    'Begin signing in through a provider or, for a signed-in caller, linking an account there; ' +
    'the state works once, for ten minutes, in this browser',
  query: z.object({
    /** Without a provider, the state is accepted from GitHub and Linux DO: clients can build their authorize URLs themselves. */
    provider: z.enum(redirectProviders).optional(),
    aff: Invitation,
    /** The console page to show after the sign-in. */
    return_to: z.string().max(2048).refine(isOwnPath).optional(),
  }),
  data: z.string(),
  envelopeFields: z.object({
    /** The provider's page to send the browser to; null without a provider. */
    authorize_url: z.string().nullable(),
  }),
})

const Outcome = z.object({
  /** Whether the caller was signed in or an account was linked. */
  action: z.enum(['login', 'bind']),
  /** Repeats `bind` for existing clients. */
  message: z.enum(['', 'bind']),
  return_to: z.string().nullable(),
})

const maxLength = 4096

const callback = (path: `/api/oauth/${RedirectProvider}`, name: string) =>
  route({
    method: 'GET',
    isCompound: true,
    path,
    audit: 'session.external',
    access: 'optional',
    scope: 'self.write',
    limit: 'external',
    isWrite: true,
    isOpenInDemo: true,
    isSameSiteOnly: true,
    summary: `Take the code and state that ${name} returned: signs in, registers, or links the account to the caller’s`,
    query: z.object({
      code: z.string().max(maxLength).optional(),
      state: z.string().max(maxLength).optional(),
      /** Set by the provider instead of a code. */
      error: z.string().max(maxLength).optional(),
      error_description: z.string().max(maxLength).optional(),
      /** The issuer of the response: https://www.rfc-editor.org/rfc/rfc9207 */
      iss: z.string().max(maxLength).optional(),
    }),
    /** Null when an account was linked. */
    data: SignedIn.nullable(),
    envelopeFields: Outcome,
  })

export const githubCallback = callback('/api/oauth/github', 'GitHub')
export const oidcCallback = callback('/api/oauth/oidc', 'the OpenID provider')
export const linuxdoCallback = callback('/api/oauth/linuxdo', 'Linux DO')

/** The endpoints that the settings page fills in; empty where the document has none. */
export const discoverOidc = route({
  method: 'GET',
  path: '/api/oauth/oidc/discovery',
  audit: 'option.discover',
  access: 'settings.secure',
  isSameSiteOnly: true,
  summary: 'Read the endpoints of an OpenID provider from its well-known URL',
  query: z.object({ well_known: z.string().trim().min(1).max(2048) }),
  data: z.object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    userinfo_endpoint: z.string(),
  }),
})

/** A sign-in by an assertion of the provider, without sending the visitor there. */
const signInByAssertion = {
  method: 'GET',
  audit: 'session.external',
  access: 'guest',
  isWrite: true,
  isOpenInDemo: true,
  isSameSiteOnly: true,
  data: SignedIn,
} as const

const bindByAssertion = {
  method: 'POST',
  isCompound: true,
  audit: 'self.bind_identity',
  stepUp: bindStepUp,
  access: 'self.write',
  limit: 'critical',
} as const

const bindByLink = {
  ...bindByAssertion,
  method: 'GET',
  isWrite: true,
  isSameSiteOnly: true,
  summary: 'As POST; for existing clients',
} as const

const WeChatCode = z.object({ code: z.string().trim().min(1).max(64) })

export const signInByWeChat = route({
  ...signInByAssertion,
  path: '/api/oauth/wechat',
  limit: 'critical',
  summary: 'Sign in or register with a code from the WeChat public account',
  query: WeChatCode.extend({ aff: Invitation }),
})

export const bindWeChat = route({
  ...bindByAssertion,
  path: '/api/oauth/wechat/bind',
  summary: 'Link a WeChat account to the caller’s',
  body: WeChatCode,
})

export const bindWeChatByLink = route({
  ...bindByLink,
  path: '/api/oauth/wechat/bind',
  query: WeChatCode,
})

/**
 * A text that a signature covers as a line of its own: with a control character in it another field could be written into it, under the same
 * signature.
 */
const signedText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^\P{Cc}*$/u)

/** The fields that Telegram’s widget returns: https://core.telegram.org/widgets/login#receiving-authorization-data */
export const TelegramAssertion = z.object({
  id: z.coerce.string().regex(/^\d{1,20}$/),
  first_name: signedText(255).optional(),
  last_name: signedText(255).optional(),
  username: signedText(255).optional(),
  photo_url: signedText(2048).optional(),
  auth_date: z.coerce.string().regex(/^\d{1,12}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/i),
  /** Added by the page; not covered by the hash. */
  lang: z.string().max(32).optional(),
})
export type TelegramAssertion = z.output<typeof TelegramAssertion>

export const signInByTelegram = route({
  ...signInByAssertion,
  path: '/api/oauth/telegram/login',
  limit: 'external',
  summary: 'Sign in or register with the data from Telegram’s widget',
  query: TelegramAssertion.extend({ aff: Invitation }),
})

export const bindTelegram = route({
  ...bindByAssertion,
  path: '/api/oauth/telegram/bind',
  summary: 'Link a Telegram account to the caller’s',
  body: TelegramAssertion,
})

export const bindTelegramByLink = route({
  ...bindByLink,
  path: '/api/oauth/telegram/bind',
  query: TelegramAssertion,
})

export const identityProviders = [...redirectProviders, 'wechat', 'telegram'] as const

export const unbindIdentity = route({
  method: 'DELETE',
  path: '/api/oauth/bindings/{provider}',
  audit: 'self.unbind_identity',
  stepUp: bindStepUp,
  access: 'self.write',
  summary: 'Unlink the caller’s account at a provider; refused while it is the only way to sign in',
  params: z.object({ provider: z.enum(identityProviders) }),
})
