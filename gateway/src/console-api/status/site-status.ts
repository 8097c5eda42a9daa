import type { OptionValues, statusRoutes } from '@tollgate/contract'

import { oidcName } from '../../accounts/identities/sign-in-providers'
import { isOpenToNewcomers } from '../../accounts/users/add-member'
import type { ServiceUrls } from '../../platform/config/config'
import { methodsOf } from '../../billing/payments/providers'
import { sha256 } from '../../platform/store/seal'
import { version } from '../../platform/config/version'

/** Returns what is public about the site, from its options. */
export function siteStatus(
  options: OptionValues,
  { startedAt, isSetUp, urls }: { startedAt: number; isSetUp: boolean; urls: ServiceUrls },
): statusRoutes.SiteStatus {
  return {
    version,
    start_time: startedAt,
    setup: isSetUp,
    ...appearance(options),
    ...money(options),
    ...features(options),
    ...signingIn(options),
    turnstile_url: urls.turnstile,
    telegram_url: urls.telegram,
  }
}

const appearance = (options: OptionValues) => ({
  system_name: options.SystemName,
  logo: options.Logo,
  footer_html: options.Footer,
  server_address: options.ServerAddress,
  docs_link: options['general_setting.docs_link'],
  notice_id: noticeId(options.Notice),
  top_up_link: options.TopUpLink,
  chats: [...options.Chats],
  chat_link: '',
  chat_link2: '',
  default_collapse_sidebar: options.DefaultCollapseSidebar,
  self_use_mode_enabled: options.SelfUseModeEnabled,
  demo_site_enabled: options.DemoSiteEnabled,
})

const idLength = 16

const noticeId = (text: string): string => (text.trim() === '' ? '' : sha256(text).slice(0, idLength))

const money = (options: OptionValues) => ({
  quota_per_unit: options.QuotaPerUnit,
  display_in_currency: options.DisplayInCurrencyEnabled,
  quota_remind_threshold: options.QuotaRemindThreshold,
  price: options.Price,
  min_topup: options.MinTopUp,
  enable_online_topup: methodsOf(options).length > 0,
  enable_batch_update: false,
  aff_enabled: options.AffEnabled,
  check_in_enabled: options.CheckInEnabled,
})

const features = (options: OptionValues) => ({
  enable_drawing: options.DrawingEnabled,
  enable_task: options.TaskEnabled,
  enable_data_export: options.DataExportEnabled,
  data_export_default_time: options.DataExportDefaultTime,
  data_export_interval: options.DataExportInterval,
  mj_notify_enabled: options.MjNotifyEnabled,
  log_chat_content_enabled: options.LogChatContentEnabled,
})

const signingIn = (options: OptionValues) => ({
  register_enabled: isOpenToNewcomers(options),
  password_login_enabled: options.PasswordLoginEnabled,
  password_register_enabled: options.PasswordRegisterEnabled,
  invitation_required: options.InvitationRequired,
  email_verification: options.EmailVerificationEnabled,
  mail_enabled: options.SMTPServer.trim() !== '',
  turnstile_check: options.TurnstileCheckEnabled,
  turnstile_site_key: options.TurnstileSiteKey,
  github_oauth: options.GitHubOAuthEnabled,
  github_client_id: options.GitHubClientId,
  oidc_enabled: options['oidc.enabled'],
  oidc_display_name: oidcName(options),
  oidc_client_id: options['oidc.client_id'],
  oidc_authorization_endpoint: options['oidc.authorization_endpoint'],
  linuxdo_oauth: options.LinuxDOOAuthEnabled,
  linuxdo_client_id: options.LinuxDOClientId,
  wechat_login: options.WeChatAuthEnabled,
  wechat_qrcode: options.WeChatAccountQRCodeImageURL,
  // Its button cannot be drawn without the bot's name, which sites of earlier releases may lack.
  telegram_oauth: options.TelegramOAuthEnabled && options.TelegramBotName !== '',
  telegram_bot_name: options.TelegramBotName,
})
