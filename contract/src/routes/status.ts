import * as z from 'zod'

import { route } from '../http/route'

/** What is public about the site; the console reads it before anything else. */
export const SiteStatus = z.object({
  version: z.string(),
  /** Unix seconds. */
  start_time: z.number().int(),
  /** The gateway is set up. */
  setup: z.boolean(),

  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  /** Changes with the text of the announcement; empty without one. */
  notice_id: z.string(),
  top_up_link: z.string(),
  chats: z.array(z.record(z.string(), z.string())),
  /** Legacy single chat links: always empty, `chats` has the list. */
  chat_link: z.string(),
  chat_link2: z.string(),
  default_collapse_sidebar: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),

  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  /** In quota: users without a threshold of their own are warned below it. */
  quota_remind_threshold: z.number().int(),
  /** Yuan for one US dollar. */
  price: z.number(),
  min_topup: z.number().int(),
  enable_online_topup: z.boolean(),
  enable_batch_update: z.boolean(),
  aff_enabled: z.boolean(),
  check_in_enabled: z.boolean(),

  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.enum(['hour', 'day', 'week']),
  /** Minutes between two refreshes of the dashboard's charts. */
  data_export_interval: z.number().int(),
  mj_notify_enabled: z.boolean(),
  /** The administrator can read conversations: the token page warns. */
  log_chat_content_enabled: z.boolean(),

  register_enabled: z.boolean(),
  password_login_enabled: z.boolean(),
  password_register_enabled: z.boolean(),
  /** Registering needs the invitation code of a user. */
  invitation_required: z.boolean(),
  email_verification: z.boolean(),
  /** Mails can be sent: codes, and links to a new password. */
  mail_enabled: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  /** Origin of the bot check's script; the page may load it while the check is enabled. */
  turnstile_url: z.string(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  oidc_enabled: z.boolean(),
  /** The operator's name for the provider. */
  oidc_display_name: z.string(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  /** Origin of the script of Telegram’s button. */
  telegram_url: z.string(),
})
export type SiteStatus = z.output<typeof SiteStatus>

export const getStatus = route({
  method: 'GET',
  path: '/api/status',
  access: 'guest',
  summary: 'What is public about the site',
  data: SiteStatus,
})

export const getFigures = route({
  method: 'GET',
  path: '/api/status/figures',
  access: 'guest',
  summary: 'What the home page shows of the last 24 hours; at most a minute old',
  data: z.object({
    /** Half of all streamed calls had their first token within this many milliseconds; null: there were none. */
    first_token_p50_ms: z.number().int().nullable(),
  }),
})
