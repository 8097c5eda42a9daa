import * as z from 'zod'

import { role, userStatus } from '../rights/accounts'
import { maxPageSize, listOf, PageQuery, sortQuery } from '../http/paging'
import { givableGrants, grants } from '../rights/rights'
import { fileRoute, readOnlyFields, route } from '../http/route'
import { flagText, idText, linesText, nameText, plainText, UserId, wholeNumberText } from '../pricing/units'

/** A user as an administrator sees it. Passwords and access tokens are never returned. */
export const UserEntity = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string(),
  role: z.number().int(),
  status: z.number().int(),
  group: z.string(),
  /** What is left, including money held for calls in flight. */
  quota: z.number().int(),
  /** The same as `quota`. A PUT that sends it back changes the balance by the difference of the two. */
  quota_read: z.number().int(),
  used_quota: z.number().int(),
  request_count: z.number().int(),
  aff_count: z.number().int(),
  aff_quota: z.number().int(),
  aff_history_quota: z.number().int(),
  inviter_id: z.number().int(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  email: z.string(),
  /** JSON text, without the webhook secret. */
  setting: z.string(),
  created_at: z.number().int(),
  /** RFC 3339, or null while the account is open. */
  DeletedAt: z.string().nullable(),
  /** Signing in requires more than the password. */
  has_second_factor: z.boolean(),
  /** What the account may do beyond its own things. */
  grants: z.array(z.enum(grants)),
})
export type UserEntity = z.output<typeof UserEntity>

/** A user of the caller's rank or a higher one: only the name, to address messages and to appear in the log. */
export const UserName = UserEntity.pick({ id: true, username: true, display_name: true })
export type UserName = z.output<typeof UserName>

/** A user as far as the caller may see the account. */
const KnownUser = z.union([UserEntity, UserName])
export type KnownUser = z.output<typeof KnownUser>

/** Returns whether more than the name is visible. */
export const isWhole = (user: KnownUser): user is UserEntity => 'role' in user

const Params = z.object({ id: idText(UserId) })

const group = nameText(255)

/** Why a balance is changed: recorded in the audit log and in the user's own log. */
const reason = plainText(255).trim()

/** `closed`: deregistered, whatever the status was before. */
export const userStates = ['enabled', 'disabled', 'closed'] as const
export type UserState = (typeof userStates)[number]

/** Ids, one per line. */
const ids = linesText(maxPageSize, 16).pipe(z.array(idText(UserId)))

const Found = z.object({
  /** These users alone. */
  ids: ids.optional(),
  keyword: plainText(255).trim().optional(),
  group: group.optional(),
  status: z.enum(userStates).optional(),
  role: wholeNumberText.pipe(z.literal([role.user, role.admin, role.root]).optional()).optional(),
  /** Users who are near one of their limits, or of those of their group. */
  near_limit: flagText.optional(),
})

/** `month`: what was spent in the last `usageDays` days; `seen`: the last visit or call. */
export const userSorts = ['id', 'name', 'balance', 'used', 'requests', 'month', 'invited', 'created', 'seen'] as const
export type UserSort = (typeof userSorts)[number]

const Order = sortQuery(userSorts)

export const listUsers = route({
  method: 'GET',
  path: '/api/user',
  access: ['users.read', 'messages.write'],
  summary:
    'Users, newest first: those of a lower rank completely, closed accounts included; others by id, name and display name',
  query: PageQuery.extend(Order),
  data: listOf(KnownUser),
})

export const searchUsers = route({
  method: 'GET',
  path: '/api/user/search',
  access: ['users.read', 'messages.write'],
  limit: 'search',
  summary:
    'Users by part of the name, mail address or display name, or by id, exact matches first; also by group, status, role and limits nearly used up',
  query: PageQuery.extend({ ...Found.shape, ...Order }),
  data: listOf(KnownUser),
})

export const exportUsers = fileRoute({
  method: 'GET',
  path: '/api/user/export',
  audit: 'user.export',
  access: 'users.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'All users that a search finds as a table, newest first',
  query: Found,
})

/** Days of usage shown for a user in lists. */
export const usageDays = 30

/** What a user used in the last `usageDays` days, and when the user was seen last. */
export const UserUsage = z.object({
  id: z.number().int(),
  calls: z.number().int(),
  /** Tokens of prompts and responses. */
  tokens: z.number().int(),
  quota: z.number().int(),
  /** The last visit of the console or call with a key, in unix seconds; 0: never. */
  seen_at: z.number().int(),
})
export type UserUsage = z.output<typeof UserUsage>

export const usersUsage = route({
  method: 'GET',
  path: '/api/user/usage',
  access: 'users.read',
  summary: `What users used in the last ${usageDays} days, and when they were seen last`,
  query: z.object({ ids }),
  data: z.array(UserUsage),
})

export const getUser = route({
  method: 'GET',
  path: '/api/user/{id}',
  access: ['users.read', 'messages.write', 'logs.read'],
  summary: 'One user; of the caller’s rank or a higher one by id, name and display name',
  params: Params,
  data: KnownUser,
})

export const createUser = route({
  method: 'POST',
  path: '/api/user',
  audit: 'user.create',
  access: 'users.write',
  summary: 'Create a user, who gets the initial quota',
  body: z.object({
    username: z.string(),
    password: z.string(),
    display_name: z.string().optional(),
    role: z.number().int().optional(),
  }),
  data: UserEntity,
})

const editableFields = {
  id: UserId,
  username: z.string().optional(),
  display_name: z.string().optional(),
  password: z.string().optional(),
  group: group.optional(),
  /** The balance to set. */
  quota: z.number().int().optional(),
  /** The balance that was read before the edit: `quota` then counts by its difference, so that spending in between is kept. */
  quota_read: z.number().int().optional(),
  role: z.number().int().optional(),
  reason: reason.optional(),
}
const UserEdit = z.object({ ...editableFields, ...readOnlyFields(UserEntity, editableFields) })

export const updateUser = route({
  method: 'PUT',
  path: '/api/user',
  audit: 'user.update',
  stepUp: { purpose: 'password', whenGiven: 'password' },
  access: ['users.write', 'balances.write'],
  summary: 'Change what the body names and nothing else; an empty password keeps the current one',
  body: UserEdit,
  data: UserEntity,
})

export const userActions = ['promote', 'demote', 'enable', 'disable', 'delete', 'add_quota'] as const

export const manageUser = route({
  method: 'POST',
  path: '/api/user/manage',
  audit: 'user.manage',
  access: ['users.write', 'balances.write'],
  summary: 'Promote, demote, enable, disable, delete, or change the quota of a user',
  body: z.object({
    id: UserId,
    /** One of `userActions`. */
    action: z.string().max(50),
    value: z.number().int().optional(),
    /** What `value` of `add_quota` means; `add` when absent. */
    mode: z.enum(['add', 'subtract', 'override']).optional(),
    reason: reason.optional(),
  }),
  data: z.object({ status: z.number().int(), role: z.number().int() }),
})

export const deleteUser = route({
  method: 'DELETE',
  path: '/api/user/{id}',
  audit: 'user.close',
  access: 'users.write',
  summary: 'Close an account for good; its name stays reserved',
  params: Params,
})

/** The outcome for a user in a bulk change: it was made, there was nothing to do, or the same operation had made it before. */
export const bulkOutcomes = ['changed', 'unchanged', 'repeated'] as const

export const changeUsers = route({
  method: 'POST',
  path: '/api/user/bulk',
  audit: 'user.bulk',
  isRepeatable: true,
  access: ['users.write', 'balances.write'],
  summary:
    'Ban or enable many users, move them to a group, or change the balance of each by an amount, once per operation',
  body: z.object({
    ids: z.array(UserId).min(1).max(maxPageSize),
    /** Chosen by the caller. A repeated call with it changes no balance a second time. */
    operation_id: z.string().regex(/^[\w-]{8,64}$/),
    group: group.min(1).optional(),
    /** Disabled: banned, and signed out everywhere. */
    status: z.literal([userStatus.enabled, userStatus.disabled]).optional(),
    /** Added to each balance; a negative amount is subtracted. */
    quota: z.number().int().optional(),
    reason: reason.min(1),
  }),
  data: z.array(
    z.object({
      id: z.number().int(),
      outcome: z.enum([...bulkOutcomes, 'refused']),
      /** Why it was refused. */
      message: z.string(),
    }),
  ),
})

export const setGrants = route({
  method: 'PUT',
  path: '/api/user/{id}/grants',
  audit: 'user.set_grants',
  stepUp: { purpose: 'rights' },
  access: 'rights.write',
  summary: 'Set the grants of an administrator or a user; those that others need are added, in force at once',
  params: Params,
  body: z.object({ grants: z.array(z.enum(givableGrants)).max(100) }),
  data: UserEntity,
})

export const removeFactors = route({
  method: 'DELETE',
  path: '/api/user/{id}/factors',
  audit: 'user.remove_factors',
  stepUp: { purpose: 'user_factors' },
  access: 'users.write',
  summary:
    'Remove the authenticator app, passkeys and recovery codes of a user who lost them; the user is told by mail',
  params: Params,
  body: z.object({ reason: reason.min(1) }),
})
