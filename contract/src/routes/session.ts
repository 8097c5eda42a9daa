import * as z from 'zod'
import { route } from '../http/route'

/** The token of a solved Turnstile; required where the site has it enabled. */
export const BotCheckQuery = z.object({ turnstile: z.string().max(4096).optional() })

/** The signed-in user as the console stores it. */
export const SignedIn = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string(),
  role: z.number().int(),
  status: z.number().int(),
  group: z.string(),
})

export const logIn = route({
  method: 'POST',
  path: '/api/user/login',
  audit: 'session.begin',
  access: 'guest',
  limit: 'sign-in',
  botCheck: 'login',
  isWrite: false,
  summary: 'Sign in by user name or mail address; sets the session cookie',
  query: BotCheckQuery,
  body: z.object({ username: z.string().max(255), password: z.string().max(1024) }),
  data: SignedIn,
})

export const logOutByLink = route({
  method: 'GET',
  path: '/api/user/logout',
  audit: 'session.end',
  access: 'guest',
  isSameSiteOnly: true,
  summary: 'Sign out; for existing clients',
})

export const logOut = route({
  method: 'POST',
  path: '/api/user/logout',
  audit: 'session.end',
  access: 'guest',
  isWrite: false,
  summary: 'Sign out',
})

export const SessionEntity = z.object({
  id: z.string(),
  created_at: z.number().int(),
  last_seen_at: z.number().int(),
  expires_at: z.number().int(),
  ip: z.string(),
  user_agent: z.string(),
  /** The session of this call. */
  is_current: z.boolean(),
})
export type SessionEntity = z.output<typeof SessionEntity>

export const listSessions = route({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'self.read',
  summary: 'Where the caller is signed in, last seen first',
  data: z.array(SessionEntity),
})

export const endSession = route({
  method: 'DELETE',
  path: '/api/user/sessions/{id}',
  audit: 'session.revoke',
  access: 'self.write',
  summary: 'End one of the caller’s sessions',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
})

export const endOtherSessions = route({
  method: 'DELETE',
  path: '/api/user/sessions',
  audit: 'session.revoke_others',
  access: 'self.write',
  summary: 'End all of the caller’s sessions except the current one',
  /** How many there were. */
  data: z.number().int(),
})
