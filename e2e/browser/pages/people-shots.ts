import type { factorRoutes, SecondFactorRequest, statusRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import type { Shot } from './shot'

/** Serves the site's public status with these fields changed. */
const site = (changes: Partial<statusRoutes.SiteStatus>) => (page: Page) =>
  page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...body, data: { ...body.data, ...changes } } })
  })

/** Intercepts a call with this response; without one the call never completes. */
const reply = (path: string, body?: object) => (page: Page) =>
  page.route(`**${path}`, (route) => (body ? route.fulfill({ json: body }) : undefined))

const envelopeOf = (data: unknown) => ({ success: true, message: '', data })

const both =
  (...preparations: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page): Promise<void> => {
    for (const prepare of preparations) await prepare(page)
  }

/** Looks like the QR code of a public account. */
const qrCode = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 25 25"><rect width="25" height="25" fill="#fff"/>${Array.from(
    { length: 441 },
    (_, index) =>
      (index * index * 7 + index * 13) % 5 < 2
        ? `<rect x="${2 + (index % 21)}" y="${2 + Math.floor(index / 21)}" width="1" height="1"/>`
        : '',
  ).join('')}</svg>`,
)}`

const allMethods = {
  github_oauth: true,
  oidc_enabled: true,
  linuxdo_oauth: true,
  wechat_login: true,
  wechat_qrcode: qrCode,
  telegram_oauth: true,
  telegram_bot_name: 'gate_bot',
  mail_enabled: true,
} as const

/** A widget of the size of Cloudflare's, from an address that the content security policy allows. */
const botCheck = both(
  site({
    mail_enabled: true,
    email_verification: true,
    turnstile_check: true,
    turnstile_site_key: 'k',
    turnstile_url: '',
  }),
  (page) =>
    page.route('**/turnstile/v0/api.js*', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.turnstile = { remove() {}, render(place, { theme }) {
          const box = document.createElement('div')
          box.textContent = '☐  Turnstile'
          box.style.cssText = 'height:65px;padding:20px;font:15px sans-serif;border:1px solid #8888;background:' +
            (theme === 'dark' ? '#232323;color:#fff' : '#fafafa;color:#000')
          place.append(box)
          return 'w'
        } }`,
      }),
    ),
)

const request: SecondFactorRequest = {
  token: 't',
  expires_at: 4_000_000_000,
  factors: ['totp', 'passkey', 'recovery_code'],
  passkey: {
    challenge: 'AAAA',
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [],
  },
}

const held: factorRoutes.Factors = {
  totp_since: 1_790_000_000,
  recovery_codes: 3,
  passkeys: [
    { id: 'a', name: 'MacBook Pro', created_at: 1_790_000_000, last_used_at: 1_795_300_000, is_backed_up: true },
    { id: 'b', name: 'YubiKey 5C', created_at: 1_793_000_000, last_used_at: null, is_backed_up: false },
  ],
  is_required: false,
  has_password: true,
  can_use_passkeys: true,
  factors: ['totp', 'passkey', 'recovery_code'],
}

const noFactors: factorRoutes.Factors = {
  ...held,
  totp_since: null,
  recovery_codes: 0,
  passkeys: [],
  is_required: true,
  factors: [],
}

const recoveryCodes = Array.from({ length: 10 }, (_, index) => `k7m2-q9xd-4tw${index}-hc3p`)

/** Names are in the language of the look. */
const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click()

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel(/^(?:Username or email|用户名或邮箱)$/).fill('mei.chen')
  await page.getByLabel(/^(?:Password|密码)$/).fill('user-password')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
}

const openWeChat = async (page: Page) => {
  await press(page, /^(?:Continue with WeChat|使用微信继续)$/)
  await page.getByRole('dialog').waitFor()
}

async function selectUsers(page: Page): Promise<void> {
  const boxes = page.getByRole('main').getByRole('checkbox')
  await boxes.nth(1).check()
  await boxes.nth(2).check()
}

const view = (page: Page) =>
  page.addInitScript(() =>
    sessionStorage.setItem('viewed-user', JSON.stringify({ id: 2, username: 'mei.chen', group: 'default' })),
  )

/** Sign-in pages, personal settings and user administration in states that a plain visit does not show. */
const states: readonly Shot[] = [
  { name: 'login-all', path: '/login', prepare: both(site(allMethods)) },
  { name: 'login-wechat', path: '/login', prepare: both(site(allMethods)), act: openWeChat },
  {
    name: 'login-wechat-broken',
    path: '/login',
    prepare: both(site({ ...allMethods, wechat_qrcode: '/no-such-picture.png' })),
    expected: [/no-such-picture/],
    act: openWeChat,
  },
  { name: 'login-check', path: '/login', prepare: botCheck },
  {
    name: 'login-second-factor',
    path: '/login',
    prepare: both(
      reply('/api/user/login', {
        success: false,
        code: 'login.second_factor',
        message: 'Second factor',
        data: null,
        second_factor: request,
      }),
    ),
    act: enterPassword,
  },
  { name: 'callback-waiting', path: '/oauth/github?code=c&state=s', prepare: both(reply('/api/oauth/github*')) },
  { name: 'callback-failed', path: '/oauth/github?code=c&state=s', act: (page) => page.waitForURL('**/login') },
  {
    name: 'register-check',
    path: '/register?aff=q7Xk',
    prepare: botCheck,
  },
  {
    name: 'reset-sent',
    path: '/reset',
    prepare: both(site({ mail_enabled: true }), reply('/api/reset_password*', envelopeOf(null))),
    act: async (page) => {
      await page.getByRole('textbox').fill('ada@example.com')
      await page.keyboard.press('Enter')
      await page.getByText('ada@example.com').waitFor()
    },
  },
  {
    name: 'me-all',
    path: '/app/me',
    as: 'user',
    prepare: both(site({ check_in_enabled: true, aff_enabled: true })),
  },
  { name: 'me-sign-in-all', path: '/app/me?tab=sign-in', as: 'user', prepare: both(site(allMethods)) },
  {
    name: 'me-security-all',
    path: '/app/me?tab=security',
    as: 'user',
    prepare: both(reply('/api/user/factors', envelopeOf(held))),
  },
  {
    name: 'me-factor-required',
    path: '/app/me?tab=security',
    as: 'user',
    prepare: both(reply('/api/user/factors', envelopeOf(noFactors))),
  },
  {
    name: 'me-recovery-codes',
    path: '/app/me?tab=security',
    as: 'user',
    prepare: both(
      reply('/api/user/factors', envelopeOf(held)),
      reply('/api/user/factors/recovery_codes', envelopeOf(recoveryCodes)),
    ),
    act: async (page) => {
      await press(page, /^(?:Generate new codes|重新生成)$/)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(?:Generate new codes|重新生成)$/ })
        .click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'users-selected',
    path: '/admin/users',
    as: 'root',
    act: selectUsers,
  },
  {
    name: 'users-bulk',
    path: '/admin/users',
    as: 'root',
    act: async (page) => {
      await selectUsers(page)
      await press(page, /^(?:Change balance|调整余额)$/)
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'viewed-logs', path: '/app/logs/api-usage', as: 'root', prepare: both(view) },
  { name: 'viewed-pricing', path: '/pricing', as: 'root', prepare: both(view) },
]

/** Only for screenshots: journeys open these themselves. */
export const peopleShots: readonly Shot[] = states.map((shot) => ({ ...shot, isAlike: true }))
