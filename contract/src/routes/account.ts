import * as z from 'zod'

import { readOnlyFields, route } from '../http/route'
import { FactorProof, stepUpHeader, stepUpPurposes } from '../rights/second-factor'
import { LogView, maxLogViewNameLength, maxLogViews } from '../stored/user-setting'
import { nameText, plainText } from '../pricing/units'
import { UserEntity } from './users'

const SelfEntity = UserEntity.extend({
  /** The caller can buy a plan, or has bought one. */
  has_plans: z.boolean(),
})

export const getSelf = route({
  method: 'GET',
  path: '/api/user/self',
  access: 'self.read',
  isOpenWithoutFactor: true,
  summary: 'The caller’s own account',
  data: SelfEntity,
})

const editableFields = {
  username: z.string().max(255).optional(),
  display_name: z.string().max(255).optional(),
  password: z.string().max(1024).optional(),
  /** The current password; required when a signed-in browser changes it. */
  original_password: z.string().max(1024).optional(),
}
const SelfEdit = z.object({ ...editableFields, ...readOnlyFields(SelfEntity, editableFields) })

export const updateSelf = route({
  method: 'PUT',
  path: '/api/user/self',
  audit: 'self.update',
  stepUp: { purpose: 'password', whenGiven: 'password', password: 'original_password' },
  access: 'self.write',
  summary: 'Change the caller’s own name or password; what is empty stays',
  body: SelfEdit,
})

/** What a user chooses. Fields that are not given stay; an empty webhook secret keeps the current one. */
export const updateSetting = route({
  method: 'PUT',
  path: '/api/user/setting',
  audit: 'self.setting',
  access: 'self.write',
  summary: 'Change the caller’s own settings: notifications, prices, logs',
  body: z.object({
    /** One of `notifyTypes`. */
    notify_type: z.string().max(20).optional(),
    quota_warning_threshold: z.number().max(Number.MAX_SAFE_INTEGER).optional(),
    webhook_url: z.string().trim().max(2048).optional(),
    webhook_secret: z.string().max(255).optional(),
    notification_email: z.string().trim().max(255).optional(),
    /** Calls of models without a price are charged at the assumed one. */
    accept_unset_model_ratio_model: z.boolean().optional(),
    /** The address of the caller is recorded in the rows of the log. */
    show_ip_in_logs: z.boolean().optional(),
    log_views: z
      .array(LogView.extend({ name: nameText(maxLogViewNameLength).min(1) }))
      .max(maxLogViews)
      .optional(),
    /** The language of the console, wherever the user signs in. */
    language: z.enum(['zh', 'en']).optional(),
    /** The customer on invoices and statements that are issued from now on. */
    billing_name: nameText(200).optional(),
    billing_address: plainText(500).trim().optional(),
    billing_tax_id: nameText(60).optional(),
  }),
})

export const deleteSelf = route({
  method: 'DELETE',
  path: '/api/user/self',
  audit: 'self.close',
  stepUp: { purpose: 'close_account' },
  access: 'self.write',
  summary: 'Close the caller’s own account for good',
})

const AccessToken = z.string()

export const newAccessTokenByLink = route({
  method: 'GET',
  path: '/api/user/token',
  audit: 'self.mint_access_token',
  stepUp: { purpose: 'access_token' },
  access: 'self.write',
  isWrite: true,
  summary: 'As POST; for existing clients',
  data: AccessToken,
})

export const newAccessToken = route({
  method: 'POST',
  path: '/api/user/token',
  audit: 'self.mint_access_token',
  stepUp: { purpose: 'access_token' },
  access: 'self.write',
  summary: 'A new access token, shown only once; the previous one stops working',
  data: AccessToken,
})

/** Returns a proof that the caller knows the password or has a second factor, for one kind of action. */
export const stepUp = route({
  method: 'POST',
  path: '/api/user/step_up',
  isCompound: true,
  audit: 'self.step_up',
  access: 'user',
  limit: 'password',
  isOpenWithoutFactor: true,
  summary: `Prove again who one is; the answer goes into the header ${stepUpHeader} of the call that asked for it`,
  body: z.object({
    purpose: z.enum(stepUpPurposes),
    password: z.string().max(1024).optional(),
    /** Instead of the password. */
    factor: FactorProof.optional(),
  }),
  data: z.object({
    proof: z.string(),
    /** Unix seconds. */
    expires_at: z.number().int(),
  }),
})
