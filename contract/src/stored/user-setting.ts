import * as z from 'zod'

import { readFields } from './json-fields'

/** How users are notified of a low balance. */
export const notifyTypes = ['email', 'webhook'] as const

export const maxLogViews = 20
export const maxLogViewNameLength = 60
/** Maximum length of a view's filters as JSON, in characters. */
export const maxLogViewLength = 2000

/** A named set of filters of the usage log. */
export const LogView = z.object({
  name: z.string().trim().min(1).max(maxLogViewNameLength),
  /** Search parameters of the console's address. The gateway does not interpret them. */
  search: z.record(z.string(), z.unknown()).refine((search) => JSON.stringify(search).length <= maxLogViewLength),
})
export type LogView = z.output<typeof LogView>

const flag = z.boolean().default(false)
const text = z.string().trim().default('')

/** What a user chose: the JSON object in the field `setting` of an account. Keys of other programs may be present as well. */
export const UserSetting = z.object({
  notify_type: z.enum(notifyTypes).default('email'),
  /** In quota. Without it the threshold of the site is in force. */
  quota_warning_threshold: z.number().positive().optional(),
  /** Empty: the address of the account. */
  notification_email: text,
  webhook_url: text,
  /** Calls of models without a price are charged at the assumed one. */
  accept_unset_model_ratio_model: flag,
  /** Log rows record the address of the caller. */
  show_ip_in_logs: flag,
  log_views: z.array(LogView).readonly().default([]),
  /** The language of the console and of mails, wherever the user signs in. */
  language: z.enum(['zh', 'en']).optional(),
  /** The customer on invoices and statements. An empty name: the name of the account. */
  billing_name: text,
  billing_address: text,
  billing_tax_id: text,
})
export type UserSetting = z.output<typeof UserSetting>

/** Returns what a user chose; a field that is missing or does not fit has its default. */
export const readUserSetting = ({ setting }: { readonly setting: string }): UserSetting =>
  readFields(UserSetting, setting)
