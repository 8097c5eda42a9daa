import * as z from 'zod'

import { listOf, PageQuery } from '../paging'
import { readOnlyFields, route } from '../route'
import { idText, plainText, UserId } from '../units'

/** A user as an administrator sees it. Passwords and access tokens are never answered. */
export const UserEntity = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string(),
  role: z.number().int(),
  status: z.number().int(),
  group: z.string(),
  /** What is left, money held for running calls included. */
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
})
export type UserEntity = z.output<typeof UserEntity>

const Params = z.object({ id: idText(UserId) })

const group = plainText(255).trim()

export const listUsers = route({
  method: 'GET',
  path: '/api/user',
  access: 'admin',
  summary: 'Users of a lower role, newest first, closed accounts included',
  query: PageQuery,
  data: listOf(UserEntity),
})

export const searchUsers = route({
  method: 'GET',
  path: '/api/user/search',
  access: 'admin',
  limit: 'search',
  summary: 'Users by part of the name, mail address or display name, or by id; also by group',
  query: PageQuery.extend({ keyword: plainText(255).trim().optional(), group: group.optional() }),
  data: listOf(UserEntity),
})

export const getUser = route({
  method: 'GET',
  path: '/api/user/{id}',
  access: 'admin',
  summary: 'One user',
  params: Params,
  data: UserEntity,
})

export const createUser = route({
  method: 'POST',
  path: '/api/user',
  audit: 'user.create',
  access: 'admin',
  summary: 'Create a user, who gets the quota of a new user',
  body: z.object({
    username: z.string(),
    password: z.string(),
    display_name: z.string().optional(),
    role: z.number().int().optional(),
  }),
  data: UserEntity,
})

const decided = {
  id: UserId,
  username: z.string().optional(),
  display_name: z.string().optional(),
  password: z.string().optional(),
  group: group.optional(),
  /** The balance to bring the user to. */
  quota: z.number().int().optional(),
  /** The balance that was read before the edit: `quota` then counts by its difference, so that spending in between is kept. */
  quota_read: z.number().int().optional(),
  role: z.number().int().optional(),
}
const UserEdit = z.object({ ...decided, ...readOnlyFields(UserEntity, decided) })

export const updateUser = route({
  method: 'PUT',
  path: '/api/user',
  audit: 'user.update',
  stepUp: { purpose: 'password', whenGiven: 'password' },
  access: 'admin',
  summary: 'Change what the body names and nothing else; an empty password keeps the present one',
  body: UserEdit,
  data: UserEntity,
})

export const userActions = ['promote', 'demote', 'enable', 'disable', 'delete', 'add_quota'] as const

export const manageUser = route({
  method: 'POST',
  path: '/api/user/manage',
  audit: 'user.manage',
  access: 'admin',
  summary: 'Promote, demote, enable, disable, delete, or change the quota of a user',
  body: z.object({
    id: UserId,
    /** One of `userActions`. */
    action: z.string().max(50),
    value: z.number().int().optional(),
    /** What `value` of `add_quota` means; `add` when absent. */
    mode: z.enum(['add', 'subtract', 'override']).optional(),
  }),
  data: z.object({ status: z.number().int(), role: z.number().int() }),
})

export const deleteUser = route({
  method: 'DELETE',
  path: '/api/user/{id}',
  audit: 'user.close',
  access: 'admin',
  summary: 'Close an account for good; its name stays reserved',
  params: Params,
})
