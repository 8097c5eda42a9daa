import * as z from 'zod'

import { isOwnPath } from '../own-path'
import { redirectProviders, type RedirectProvider } from '../redirect-providers'
import { route } from '../route'
import { SignedIn } from './session'

/** The invitation code a new member came with. */
const Invitation = z.string().max(64).optional()

/** Signing in this way from now on: whoever can do it needs no password. */
const bindStepUp = { purpose: 'identity' } as const

export const beginExternalSignIn = route({
  method: 'GET',
  path: '/api/oauth/state',
  access: 'optional',
  limit: 'external',
  isSameSiteOnly: true,
  summary:
    'Begin to sign in at a provider, or, for a signed-in caller, to bind an account there; ' +
    'the state is good once, for ten minutes, in this browser',
  query: z.object({
    /** The provider it is for. Without one the state is good for GitHub and Linux DO, whose addresses a client can write itself. */
    provider: z.enum(redirectProviders).optional(),
    aff: Invitation,
    /** The page of the console to go to in the end. */
    return_to: z.string().max(2048).refine(isOwnPath).optional(),
  }),
  data: z.string(),
  beside: z.object({
    /** Where to send the browser; null without a provider. */
    authorize_url: z.string().nullable(),
  }),
})

const Outcome = z.object({
  /** What was done. */
  action: z.enum(['login', 'bind']),
  /** `bind` where an account was bound, as existing clients expect. */
  message: z.enum(['', 'bind']),
  return_to: z.string().nullable(),
})

const longest = 4096

const callback = (path: `/api/oauth/${RedirectProvider}`, name: string) =>
  route({
    method: 'GET',
    path,
    audit: 'session.external',
    access: 'optional',
    limit: 'external',
    isWrite: true,
    isOpenInDemo: true,
    isSameSiteOnly: true,
    summary: `What ${name} sent the browser back with: signs in, registers, or binds the account there to the caller’s`,
    query: z.object({
      code: z.string().max(longest).optional(),
      state: z.string().max(longest).optional(),
      /** Of the provider, where it sent the browser back without a code. */
      error: z.string().max(longest).optional(),
      error_description: z.string().max(longest).optional(),
      /** Who answered: https://www.rfc-editor.org/rfc/rfc9207 */
      iss: z.string().max(longest).optional(),
    }),
    /** Null where an account was bound. */
    data: SignedIn.nullable(),
    beside: Outcome,
  })

export const githubCallback = callback('/api/oauth/github', 'GitHub')
export const oidcCallback = callback('/api/oauth/oidc', 'the OpenID provider')
export const linuxdoCallback = callback('/api/oauth/linuxdo', 'Linux DO')

/** What the settings page fills in from a provider’s discovery document; empty where it has none. */
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

/** Codes of the public account are short. */
const WeChatCode = z.object({ code: z.string().trim().min(1).max(64) })

export const signInByWeChat = route({
  method: 'GET',
  path: '/api/oauth/wechat',
  audit: 'session.external',
  access: 'guest',
  limit: 'critical',
  isWrite: true,
  isOpenInDemo: true,
  isSameSiteOnly: true,
  summary: 'Sign in or register with the code that the public account on WeChat answered',
  query: WeChatCode.extend({ aff: Invitation }),
  data: SignedIn,
})

export const bindWeChat = route({
  method: 'POST',
  path: '/api/oauth/wechat/bind',
  audit: 'self.bind_identity',
  stepUp: bindStepUp,
  access: 'user',
  limit: 'critical',
  summary: 'Bind a WeChat account to the caller’s',
  body: WeChatCode,
})

export const bindWeChatByLink = route({
  method: 'GET',
  path: '/api/oauth/wechat/bind',
  audit: 'self.bind_identity',
  stepUp: bindStepUp,
  access: 'user',
  limit: 'critical',
  isWrite: true,
  isSameSiteOnly: true,
  summary: 'As POST; for existing clients',
  query: WeChatCode,
})

/** What Telegram’s widget gives: https://core.telegram.org/widgets/login#receiving-authorization-data */
export const TelegramAssertion = z.object({
  id: z.coerce.string().regex(/^\d{1,20}$/),
  first_name: z.string().max(255).optional(),
  last_name: z.string().max(255).optional(),
  username: z.string().max(255).optional(),
  photo_url: z.string().max(2048).optional(),
  auth_date: z.coerce.string().regex(/^\d{1,12}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/i),
  /** Of the page, not of Telegram: nothing vouches for it. */
  lang: z.string().max(32).optional(),
})
export type TelegramAssertion = z.output<typeof TelegramAssertion>

export const signInByTelegram = route({
  method: 'GET',
  path: '/api/oauth/telegram/login',
  audit: 'session.external',
  access: 'guest',
  limit: 'external',
  isWrite: true,
  isOpenInDemo: true,
  isSameSiteOnly: true,
  summary: 'Sign in or register with what Telegram’s widget gave',
  query: TelegramAssertion.extend({ aff: Invitation }),
  data: SignedIn,
})

export const bindTelegram = route({
  method: 'POST',
  path: '/api/oauth/telegram/bind',
  audit: 'self.bind_identity',
  stepUp: bindStepUp,
  access: 'user',
  limit: 'critical',
  summary: 'Bind a Telegram account to the caller’s',
  body: TelegramAssertion,
})

export const bindTelegramByLink = route({
  method: 'GET',
  path: '/api/oauth/telegram/bind',
  audit: 'self.bind_identity',
  stepUp: bindStepUp,
  access: 'user',
  limit: 'critical',
  isWrite: true,
  isSameSiteOnly: true,
  summary: 'As POST; for existing clients',
  query: TelegramAssertion,
})
