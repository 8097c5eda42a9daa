import * as z from 'zod'

import { searchResultOf, listOf, PageQuery, sortQuery } from '../http/paging'
import { readOnlyFields, route } from '../http/route'
import { flagText, idText, nameText, plainText, RedemptionId } from '../pricing/units'

export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const

/** What a code gives: `quota`, for good; `expiring`: quota whose unspent part is taken back some days after it was redeemed; `plan`: a term of a plan. */
export const redemptionKinds = ['quota', 'expiring', 'plan'] as const
export type RedemptionKind = (typeof redemptionKinds)[number]

/** Codes created in one call. */
export const maxRedemptionCodes = 100
export const maxRedemptionNameLength = 20
export const redemptionKeyLengths = { least: 4, most: 64 } as const
/** Quota that one code may be worth. */
export const maxRedemptionQuota = 1e15
/** Days after which redeemed quota may expire. */
export const maxQuotaDays = 3650

/** A redemption code as administrators of codes see it. */
export const RedemptionEntity = z.object({
  id: z.int(),
  name: z.string(),
  /** The code itself for callers with `codes.write`, which leaves a row in the audit log; otherwise its first and last letters. */
  key: z.string(),
  /** 1 unused, 2 disabled, 3 used; a gift code is used when it was redeemed as often as allowed. */
  status: z.int(),
  kind: z.enum(redemptionKinds),
  /** Quota of each redemption. */
  quota: z.int(),
  /** Days from a redemption until what is unspent of it is taken back; 0: never. */
  quota_days: z.int(),
  /** The plan that it begins; 0: none. */
  plan_id: z.int(),
  /** The name of that plan. */
  plan: z.string(),
  created_time: z.int(),
  /** Its creator. */
  user_id: z.int(),
  /** The user who redeemed it, the last one of a gift code; 0: none yet. */
  used_user_id: z.int(),
  /** The name of that user; empty: none yet. */
  used_username: z.string(),
  /** When it was redeemed, the last time of a gift code; 0: not yet. */
  redeemed_time: z.int(),
  /** Several users may redeem it, each once. */
  is_gift: z.boolean(),
  /** How often a gift code can be redeemed; -1: without limit. */
  max_uses: z.int(),
  used_count: z.int(),
  /** Unix seconds; 0: at once. */
  valid_from: z.int(),
  /** Unix seconds; 0: for ever. */
  valid_until: z.int(),
})
export type RedemptionEntity = z.output<typeof RedemptionEntity>

const time = z.int().min(0).max(253_402_300_799)
/** Strings come from forms whose fields are not numbers. */
const number = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((sent) => (typeof sent === 'string' && /^-?\d{1,16}$/.test(sent.trim()) ? Number(sent) : sent), schema)

/** What the server checks with sentences of its own is not limited here. */
const editableFields = {
  name: nameText(1000),
  quota: number(z.int()),
  quota_days: number(z.int()),
  plan_id: number(z.int().min(0)),
  is_gift: z.boolean(),
  max_uses: number(z.int().nullable()),
  valid_from: number(time),
  valid_until: number(time),
}

const optional = {
  name: editableFields.name.optional(),
  quota: editableFields.quota.optional(),
  quota_days: editableFields.quota_days.optional(),
  plan_id: editableFields.plan_id.optional(),
  is_gift: editableFields.is_gift.optional(),
  /** Blank, 0 and -1 mean without limit. */
  max_uses: editableFields.max_uses.optional(),
  valid_from: editableFields.valid_from.optional(),
  valid_until: editableFields.valid_until.optional(),
}

const key = nameText(1000)

export const NewRedemption = z.object({
  ...optional,
  /** How many codes; with `key` one. */
  count: number(z.int()).optional(),
  /** The code; blank: 32 random letters and digits each. */
  key: key.optional(),
  ...readOnlyFields(RedemptionEntity, { ...editableFields, key }),
})
export type NewRedemption = z.output<typeof NewRedemption>

export const RedemptionEdit = z.object({
  ...optional,
  id: RedemptionId,
  status: z.int().optional(),
  count: z.unknown().optional(),
  ...readOnlyFields(RedemptionEntity, { ...editableFields, id: RedemptionId, status: z.int() }),
})
export type RedemptionEdit = z.output<typeof RedemptionEdit>

/** One redemption of a code. */
export const RedemptionUse = z.object({
  user_id: z.int(),
  username: z.string(),
  used_at: z.int(),
  quota: z.int(),
})
export type RedemptionUse = z.output<typeof RedemptionUse>

const Params = z.object({ id: idText(RedemptionId) })
const NameQuery = z.object({ name: plainText(1000).trim().default('') })

/** `uses`: how often it was redeemed; `expires`: until when it is valid, codes without an end last. */
export const redemptionSorts = ['id', 'name', 'status', 'quota', 'uses', 'expires', 'redeemed'] as const
export type RedemptionSort = (typeof redemptionSorts)[number]

const Order = sortQuery(redemptionSorts)

export const listRedemptions = route({
  method: 'GET',
  path: '/api/redemption',
  access: 'codes.read',
  summary: 'Redemption codes, newest first; pages count from 0',
  query: PageQuery.extend(Order),
  data: listOf(RedemptionEntity),
})

export const searchRedemptions = route({
  method: 'GET',
  path: '/api/redemption/search',
  access: 'codes.read',
  limit: 'search',
  summary:
    'Redemption codes by id or part of the name, exact matches first; a page from 0 with `p`, otherwise an array',
  query: PageQuery.extend({
    ...Order,
    keyword: plainText(255).trim().optional(),
    /** As in `RedemptionEntity`; absent: any. */
    status: idText(z.int()).optional(),
    /** Only gift codes, or only the others. */
    is_gift: flagText.optional(),
  }),
  data: searchResultOf(RedemptionEntity),
})

export const getRedemption = route({
  method: 'GET',
  path: '/api/redemption/{id}',
  access: 'codes.read',
  summary: 'One redemption code',
  params: Params,
  data: RedemptionEntity,
})

export const listRedemptionUses = route({
  method: 'GET',
  path: '/api/redemption/{id}/uses',
  access: 'codes.read',
  summary: 'Who redeemed a code, and when; latest first',
  params: Params,
  query: PageQuery,
  data: listOf(RedemptionUse),
})

export const createRedemptions = route({
  method: 'POST',
  path: '/api/redemption',
  audit: 'code.create',
  access: 'codes.write',
  summary: 'Create redemption codes; returns the codes',
  body: NewRedemption,
  data: z.array(z.string()),
})

export const updateRedemption = route({
  method: 'PUT',
  path: '/api/redemption',
  audit: 'code.update',
  access: 'codes.write',
  summary: 'Change what the body names of a code that is not used; with status_only, disable it or enable it again',
  query: z.object({ status_only: flagText.optional() }),
  body: RedemptionEdit,
  data: RedemptionEntity,
})

export const disableRedemptions = route({
  method: 'PUT',
  path: '/api/redemption/batch-disable',
  audit: 'code.disable_several',
  access: 'codes.write',
  summary: 'Disable the unused ones of these codes; returns how many there were',
  body: z.object({ ids: z.array(RedemptionId).max(1000) }),
  data: z.int(),
})

export const countRedemptionsByName = route({
  method: 'GET',
  path: '/api/redemption/count-by-name',
  access: 'codes.read',
  summary: 'How many codes have exactly this name',
  query: NameQuery,
  data: z.int(),
})

export const deleteRedemptionsByName = route({
  method: 'DELETE',
  path: '/api/redemption/delete-by-name',
  audit: 'code.delete_by_name',
  access: 'codes.write',
  summary: 'Delete all codes with exactly this name; returns how many there were',
  query: NameQuery,
  data: z.int(),
})

export const deleteDisabledRedemptions = route({
  method: 'DELETE',
  path: '/api/redemption/delete-disabled',
  audit: 'code.delete_disabled',
  access: 'codes.write',
  summary: 'Delete all disabled codes; returns how many there were',
  data: z.int(),
})

export const deleteRedemption = route({
  method: 'DELETE',
  path: '/api/redemption/{id}',
  audit: 'code.delete',
  access: 'codes.write',
  summary: 'Delete a code; it cannot be redeemed any more',
  params: Params,
})

export const redeemCode = route({
  method: 'POST',
  path: '/api/user/topup',
  audit: 'self.redeem',
  access: 'self.write',
  limit: 'critical',
  summary: 'Redeem a code; returns the credited quota, or the plan that began',
  body: z.object({ key: plainText(1000).trim().default('') }),
  data: z.object({
    quota: z.int(),
    is_gift: z.boolean(),
    /** When what is unspent of it is taken back, or the term of the plan ends, in unix seconds; 0: never. */
    ends_at: z.int(),
    /** The name of the plan that began; empty: none. */
    plan: z.string(),
  }),
})
