import { choice, flag, secret, text, whole, type Prerequisite } from './option'
import { domains, exactWebAddress, pictureAddress, webAddress } from './texts'

const clientIdAndSecret = (name: string, zh: string, needs: readonly string[]): Prerequisite => ({
  needs,
  feature: { en: `${name} sign-in`, zh },
  needed: { en: `${name} client id and client secret`, zh: ` ${name} Client Id 以及 ${name} Client Secret` },
})

const configured = (en: string, zh: string, needs: readonly string[]): Prerequisite => ({
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
  PasswordLoginEnabled: flag('login', true),
  RegisterEnabled: flag('login', true),
  PasswordRegisterEnabled: flag('login', true),
  EmailVerificationEnabled: flag('login', false, { isPublic: true }),
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
    prerequisite: configured('Turnstile', ' Turnstile 校验', ['TurnstileSiteKey', 'TurnstileSecretKey']),
  }),
  TurnstileSiteKey: text('bot-check', '', { isPublic: true, max: 255 }),
  TurnstileSecretKey: secret('bot-check'),

  SecondFactorRequired: choice('security', ['nobody', 'root', 'admins', 'everyone']),

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
    prerequisite: configured('WeChat sign-in', '微信登录', ['WeChatServerAddress']),
  }),
  WeChatServerAddress: webAddress('wechat'),
  WeChatServerToken: secret('wechat'),
  WeChatAccountQRCodeImageURL: pictureAddress('wechat'),
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

  SMTPServer: text('mail', '', { max: 255 }),
  SMTPPort: whole('mail', 587, { min: 1, max: 65535 }),
  SMTPAccount: text('mail', '', { max: 255 }),
  SMTPFrom: text('mail', '', { max: 255 }),
  SMTPToken: secret('mail'),
  SMTPSSLEnabled: flag('mail', false),
}
