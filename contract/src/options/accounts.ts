import { choice, flag, secret, text, whole, type Prerequisite } from './option'
import { domains, exactWebAddress, imageAddress, webAddress } from './texts'

const clientIdAndSecret = (name: string, zh: string, needs: readonly string[]): Prerequisite => ({
  needs,
  feature: { en: `${name} sign-in`, zh },
  needed: { en: `${name} client id and client secret`, zh: ` ${name} Client Id 以及 ${name} Client Secret` },
})

const requireSettings = (en: string, zh: string, needs: readonly string[]): Prerequisite => ({
  needs,
  feature: { en, zh },
  needed: { en: `${en} settings`, zh: `${zh}相关配置信息` },
})

const commonMailDomains = [
  'gmail.com',
  '163.com',
  '126.com',
  'qq.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'yahoo.com',
  'foxmail.com',
]

/** Signing in and registering, with a password or through providers. */
export const accountOptions = {
  SMTPServer: text('mail', '', { max: 255 }),
  SMTPPort: whole('mail', 587, { min: 1, max: 65535 }),
  SMTPAccount: text('mail', '', { max: 255 }),
  SMTPFrom: text('mail', '', { max: 255 }),
  SMTPToken: secret('mail'),
  SMTPSSLEnabled: flag('mail', false),

  PasswordLoginEnabled: flag('login', true),
  RegisterEnabled: flag('login', true),
  PasswordRegisterEnabled: flag('login', true),
  /** Registering needs the invitation code of a user, also where invitations bring nothing (`AffEnabled`). */
  InvitationRequired: flag('login', false),
  EmailVerificationEnabled: flag('login', false, {
    isPublic: true,
    prerequisite: {
      needs: ['SMTPServer'],
      feature: { en: 'the verification of mail addresses', zh: '邮箱验证' },
      needed: { en: 'the mail server', zh: '邮件服务器' },
    },
  }),
  EmailDomainRestrictionEnabled: flag('mail-domains', false, {
    prerequisite: {
      needs: ['EmailDomainWhitelist'],
      feature: { en: 'the mail domain restriction', zh: '邮箱域名限制' },
      needed: { en: 'the allowed mail domains', zh: '限制的邮箱域名' },
    },
  }),
  EmailAliasRestrictionEnabled: flag('mail-domains', false),
  EmailDomainWhitelist: domains('mail-domains', commonMailDomains),
  TurnstileCheckEnabled: flag('bot-check', false, {
    isPublic: true,
    prerequisite: requireSettings('Turnstile', ' Turnstile 校验', ['TurnstileSiteKey', 'TurnstileSecretKey']),
  }),
  TurnstileSiteKey: text('bot-check', '', { isPublic: true, max: 255 }),
  TurnstileSecretKey: secret('bot-check'),

  SecondFactorRequired: choice('security', ['nobody', 'root', 'admins', 'everyone']),
  /** Keys of API tokens are masked wherever they are listed and read, until their owner proves their identity. */
  HideTokenKeys: flag('security', false),

  /** Calls of the console's API in a minute: of a signed-in user; of guests at an address; of all at an address. */
  ConsoleUserCalls: whole('request-limits', 600, { min: 60, max: 1_000_000, unit: 'calls' }),
  ConsoleGuestCalls: whole('request-limits', 600, { min: 60, max: 1_000_000, unit: 'calls' }),
  ConsoleAddressCalls: whole('request-limits', 6000, { min: 60, max: 10_000_000, unit: 'calls' }),
  /** Expensive reads in a minute: of each kind, by a user. */
  SearchCalls: whole('request-limits', 60, { min: 1, max: 100_000, unit: 'calls' }),
  /** Calls of each kind that hand out secrets or take a code, in 20 minutes: by a user, or by guests at an address. */
  SensitiveCalls: whole('request-limits', 20, { min: 1, max: 10_000, unit: 'calls' }),
  /** Sign-ins at providers in 20 minutes from an address: each takes two calls. */
  ProviderSignInCalls: whole('request-limits', 300, { min: 2, max: 100_000, unit: 'calls' }),
  /** Wrong passwords in 20 minutes: for an account from an address or device; from an address; for an account until it is slowed down. */
  WrongPasswords: whole('request-limits', 20, { min: 1, max: 10_000 }),
  WrongPasswordsOfAddress: whole('request-limits', 100, { min: 1, max: 100_000 }),
  SlowSignInAfter: whole('request-limits', 60, { min: 1, max: 100_000 }),
  /** Mails with codes and links in an hour, asked for at an address. */
  MailsOfAddress: whole('request-limits', 30, { min: 1, max: 10_000 }),

  GitHubOAuthEnabled: flag('github', false, {
    isPublic: true,
    prerequisite: clientIdAndSecret('GitHub', ' GitHub OAuth', ['GitHubClientId', 'GitHubClientSecret']),
  }),
  GitHubClientId: text('github', '', { isPublic: true, max: 255 }),
  GitHubClientSecret: secret('github'),
  'oidc.enabled': flag('oidc', false, {
    isPublic: true,
    prerequisite: {
      needs: ['oidc.well_known', 'oidc.client_id', 'oidc.client_secret'],
      feature: { en: 'OIDC sign-in', zh: ' OIDC 登录' },
      needed: {
        en: 'OIDC well-known URL, client id and client secret',
        zh: ' OIDC Well-Known URL、Client Id 以及 Client Secret',
      },
    },
  }),
  'oidc.display_name': text('oidc', 'OIDC', { isPublic: true, max: 60 }),
  'oidc.client_id': text('oidc', '', { isPublic: true, max: 255 }),
  'oidc.client_secret': secret('oidc'),
  'oidc.well_known': exactWebAddress('oidc'),
  'oidc.authorization_endpoint': exactWebAddress('oidc', true),
  'oidc.token_endpoint': exactWebAddress('oidc'),
  'oidc.user_info_endpoint': exactWebAddress('oidc'),
  LinuxDOOAuthEnabled: flag('linuxdo', false, {
    isPublic: true,
    prerequisite: clientIdAndSecret('LinuxDO', ' LinuxDO OAuth', ['LinuxDOClientId', 'LinuxDOClientSecret']),
  }),
  LinuxDOClientId: text('linuxdo', '', { isPublic: true, max: 255 }),
  LinuxDOClientSecret: secret('linuxdo'),
  LinuxDOMinimumTrustLevel: whole('linuxdo', 0, { max: 4 }),
  WeChatAuthEnabled: flag('wechat', false, {
    isPublic: true,
    prerequisite: requireSettings('WeChat sign-in', '微信登录', ['WeChatServerAddress', 'WeChatServerToken']),
  }),
  WeChatServerAddress: webAddress('wechat'),
  WeChatServerToken: secret('wechat'),
  WeChatAccountQRCodeImageURL: imageAddress('wechat'),
  TelegramOAuthEnabled: flag('telegram', false, {
    isPublic: true,
    prerequisite: {
      needs: ['TelegramBotToken', 'TelegramBotName'],
      feature: { en: 'Telegram sign-in', zh: ' Telegram OAuth' },
      needed: { en: 'the Telegram bot token and bot name', zh: ' Telegram Bot Token 以及 Bot 名称' },
    },
  }),
  TelegramBotToken: secret('telegram'),
  TelegramBotName: text('telegram', '', { isPublic: true, max: 255 }),
}
