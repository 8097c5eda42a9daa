import * as z from 'zod'

import { responseCacheChoices, tokenStatus } from '../rights/accounts'
import { refusedAs } from '../http/errors/errors'
import { searchResultOf, maxPageSize, listOf, PageQuery, sortQuery } from '../http/paging'
import { readOnlyFields, route } from '../http/route'
import { flagText, idText, nameText, plainText, TokenId, wholeNumberText } from '../pricing/units'

const ResponseCacheChoice = z.enum(responseCacheChoices)

/** An API key as its owner sees it. */
export const TokenEntity = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  /**
   * 48 letters and digits; clients put `sk-` before it. Asterisks and the last four where the caller may not see it: an access token
   * without the scope `tokens.keys`, and anyone without a proof of identity where the site hides keys.
   */
  key: z.string(),
  name: z.string(),
  /** 1 enabled, 2 disabled; 3 expired and 4 exhausted are determined when the token is read. */
  status: z.number().int(),
  created_time: z.number().int(),
  /** 0: never used. */
  accessed_time: z.number().int(),
  /** The address of the last call; empty when it was never used, or its owner does not record addresses. */
  last_ip: z.string(),
  /** -1: never. */
  expired_time: z.number().int(),
  /** What is left, including money held for calls in flight. */
  remain_quota: z.number().int(),
  /** The same as `remain_quota`. A PUT that sends it back changes the quota by the difference of the two. */
  remain_quota_read: z.number().int(),
  used_quota: z.number().int(),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  /** Comma-separated. */
  model_limits: z.string(),
  /** One address or CIDR range per line. */
  allow_ips: z.string(),
  /** Empty: the group of the owner. */
  group: z.string(),
  rate_limit_enabled: z.boolean(),
  /** Seconds. */
  rate_limit_period: z.number().int(),
  /** Calls in a period; 0: no limit. */
  rate_limit_count: z.number().int(),
  /** Successful calls in a period; 0: no limit. */
  rate_limit_success: z.number().int(),
  /** Whether its calls use the response cache, where the site has one; `group`: as its group says. */
  response_cache: ResponseCacheChoice,
  /** Until when the key before the last rotation also works, in Unix seconds; 0: it does not. */
  previous_key_until: z.number().int(),
})
export type TokenEntity = z.output<typeof TokenEntity>

/** Returns whether a key is masked. */
export const isHiddenKey = (key: string): boolean => key.startsWith('*')

/** Tokens a user may have. */
export const maxTokensPerUser = 1000
export const maxTokenNameLength = 50
/** Maximum length of `model_limits`, in characters. */
export const maxModelLimitsLength = 65_536
/** Maximum length of `allow_ips`, in characters. */
export const maxAllowedIpsLength = 16_384
/** For how long the key before a rotation can be kept working. */
export const maxKeyGraceSeconds = 30 * 86_400
/** The highest quota a token can be given. */
export const maxTokenQuota = 1e15

/** The server has sentences of its own for the length. */
const name = nameText(1000)
const rateLimit = (lowest: number) => z.number().int().min(lowest).max(1_000_000_000)

/** What the owner decides; the rules with a sentence of their own are checked by the server. */
const editableFields = {
  expired_time: z.number(refusedAs('token.expiry')).optional(),
  remain_quota: z.number(refusedAs('token.quota')).optional(),
  unlimited_quota: z.boolean().optional(),
  model_limits_enabled: z.boolean().optional(),
  model_limits: z.string().optional(),
  allow_ips: z.string().nullable().optional(),
  group: nameText(255).optional(),
  rate_limit_enabled: z.boolean().optional(),
  rate_limit_period: rateLimit(1).optional(),
  rate_limit_count: rateLimit(0).optional(),
  rate_limit_success: rateLimit(0).optional(),
  response_cache: ResponseCacheChoice.optional(),
}

const editable = { name, status: z.number().int(), ...editableFields }
/** The quota that was read before the edit: `remain_quota` then counts by its difference, so that spending in between is kept. */
const remainQuotaRead = z.number().int().optional()
const readOnly = readOnlyFields(TokenEntity, { ...editable, id: TokenId })

export const NewToken = z.object({
  name: name.default(''),
  ...editableFields,
  ...readOnly,
  id: z.unknown().optional(),
  status: z.unknown().optional(),
})
export type NewToken = z.output<typeof NewToken>

export const TokenEdit = z.object({
  id: TokenId,
  name: name.optional(),
  status: z.number().int().optional(),
  ...editableFields,
  ...readOnly,
  remain_quota_read: remainQuotaRead,
})
export type TokenEdit = z.output<typeof TokenEdit>

const Params = z.object({ id: idText(TokenId) })

export const tokenSortings = ['name', 'created', 'used', 'spent', 'left', 'expires'] as const
export type TokenSorting = (typeof tokenSortings)[number]

/** Tokens that are near one of their limits. */
const nearLimit = flagText.optional()

/** Filters and order of a list of tokens. By default the newest come first. */
const TokenListQuery = PageQuery.extend({
  /** As in `TokenEntity`; 0: any. */
  status: wholeNumberText.optional(),
  /** Tokens that call in this group: their own, or the owner's where they have none. */
  group: plainText(255).optional(),
  near_limit: nearLimit,
  ...sortQuery(tokenSortings),
})

export const listTokens = route({
  method: 'GET',
  path: '/api/token',
  access: 'self.read',
  summary: 'The caller’s tokens, newest first; pages count from 0',
  query: TokenListQuery,
  data: listOf(TokenEntity),
})

export const searchTokens = route({
  method: 'GET',
  path: '/api/token/search',
  access: 'self.read',
  limit: 'search',
  summary: 'The caller’s tokens by part of the name and part of the key; a page from 0 with `p`, otherwise an array',
  query: TokenListQuery.extend({
    keyword: z.string().trim().max(255).optional(),
    token: z.string().trim().max(255).optional(),
    /** Part of the name or of the key. */
    either: z.string().trim().max(255).optional(),
  }),
  data: searchResultOf(TokenEntity),
})

/** A token of any user, as administrators see it: its key is never more than the last four characters. */
export const AnyToken = TokenEntity.extend({
  username: z.string(),
  /** The group it calls in: its own, or that of its owner. */
  effective_group: z.string(),
})
export type AnyToken = z.output<typeof AnyToken>

/** Tokens without a limit or an expiry come last where they are sorted by it. */
export const anyTokenSortings = [...tokenSortings, 'user'] as const
export type AnyTokenSorting = (typeof anyTokenSortings)[number]

export const listAllTokens = route({
  method: 'GET',
  path: '/api/token/all',
  access: 'users.read',
  limit: 'search',
  summary:
    'Tokens of all users of a lower rank: newest first, a name, user or id of exactly the keyword before others, or sorted; pages count from 0',
  query: PageQuery.extend({
    /** Part of the token’s name or of the username, or the id. */
    keyword: plainText(255).trim().optional(),
    /** The exact name of a user. */
    username: plainText(255).trim().optional(),
    /** As in `TokenEntity`; 0: any. */
    status: wholeNumberText.optional(),
    group: plainText(255).optional(),
    near_limit: nearLimit,
    ...sortQuery(anyTokenSortings),
  }),
  data: listOf(AnyToken),
})

export const switchTokens = route({
  method: 'PUT',
  path: '/api/token/all/status',
  audit: 'token.switch',
  access: 'users.write',
  summary: 'Disable tokens of users of a lower rank, or enable them again; returns how many were changed',
  body: z.object({
    ids: z.array(TokenId).min(1).max(maxPageSize),
    status: z.literal([tokenStatus.enabled, tokenStatus.disabled]),
  }),
  data: z.number().int(),
})

export const getToken = route({
  method: 'GET',
  path: '/api/token/{id}',
  access: 'self.read',
  summary: 'One of the caller’s tokens',
  params: Params,
  data: TokenEntity,
})

export const createToken = route({
  method: 'POST',
  path: '/api/token',
  audit: 'token.create',
  stepUp: { purpose: 'access_token', isUpToHandler: true },
  access: 'tokens.write',
  summary: 'Create a token; the response contains its key',
  body: NewToken,
  data: TokenEntity,
})

export const updateToken = route({
  method: 'PUT',
  path: '/api/token',
  audit: 'token.update',
  access: 'tokens.write',
  summary: 'Change what the body names and nothing else; with status_only, the status alone',
  query: z.object({ status_only: flagText.optional() }),
  body: TokenEdit,
  data: TokenEntity,
})

export const rotateToken = route({
  method: 'POST',
  path: '/api/token/{id}/rotate',
  audit: 'token.rotate',
  stepUp: { purpose: 'access_token', isUpToHandler: true },
  access: 'tokens.write',
  summary: 'Give a token a new key; the previous one stops at once, or after the requested grace',
  params: Params,
  body: z.object({ grace_seconds: z.number().int().min(0).max(maxKeyGraceSeconds).default(0) }),
  data: TokenEntity,
})

export const deleteToken = route({
  method: 'DELETE',
  path: '/api/token/{id}',
  audit: 'token.delete',
  access: 'tokens.write',
  summary: 'Delete a token; its key stops working at once',
  params: Params,
})

export const deleteTokens = route({
  method: 'POST',
  path: '/api/token/batch',
  audit: 'token.delete_several',
  access: 'tokens.write',
  summary: 'Delete several tokens; returns how many there were',
  body: z.object({ ids: z.array(TokenId).min(1).max(maxTokensPerUser) }),
  data: z.number().int(),
})

export const revealTokenKey = route({
  method: 'POST',
  path: '/api/token/{id}/key',
  audit: 'token.reveal_key',
  stepUp: { purpose: 'token_key' },
  access: 'tokens.write',
  limit: 'critical',
  summary: 'The key of a token',
  params: Params,
  data: z.object({ key: z.string() }),
})
