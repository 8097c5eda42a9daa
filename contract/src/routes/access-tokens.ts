import * as z from 'zod'

import { route } from '../http/route'
import { tokenScopes } from '../rights/scopes'
import { idText, nameText, UserId } from '../pricing/units'

export const maxAccessTokens = 20

/**
 * What the token may do, never more than its owner; null: everything that the owner may do, now and later, except that keys of API tokens
 * are masked, and making one asks for a proof of identity.
 */
const Scopes = z.array(z.enum(tokenScopes)).nullable()

export const AccessTokenEntity = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: Scopes,
  created_at: z.number().int(),
  /** Null: never. */
  expires_at: z.number().int().nullable(),
  /** To the minute; 0: not used yet. */
  last_used_at: z.number().int(),
})
export type AccessTokenEntity = z.output<typeof AccessTokenEntity>

export const listAccessTokens = route({
  method: 'GET',
  path: '/api/user/access_tokens',
  access: 'self.read',
  summary: 'The caller’s named access tokens, newest first; expired ones included',
  data: z.array(AccessTokenEntity),
})

export const createAccessToken = route({
  method: 'POST',
  path: '/api/user/access_tokens',
  audit: 'self.create_access_token',
  stepUp: { purpose: 'access_token' },
  access: 'self.write',
  summary: 'A new named access token, shown only once; the others keep working',
  body: z.object({
    name: nameText(50).min(1),
    /** Unix seconds, in the future. Default: never. */
    expires_at: z.number().int().nullable().optional(),
    scopes: Scopes.optional(),
  }),
  data: AccessTokenEntity.extend({ token: z.string() }),
})

export const deleteAccessToken = route({
  method: 'DELETE',
  path: '/api/user/access_tokens/{id}',
  audit: 'self.delete_access_token',
  access: 'self.write',
  summary: 'Revoke one of the caller’s named access tokens',
  params: z.object({ id: idText(UserId) }),
})
