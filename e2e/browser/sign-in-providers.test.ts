import { afterAll, beforeAll, expect, test } from 'bun:test'

import {
  startLinuxDo,
  startTelegramWidget,
  startTurnstile,
  startWeChatServer,
  type TurnstileStandIn,
} from '@tollgate/simulator'
import type { Page } from 'playwright-core'

import { aMailServer, type MailServer } from '../../gateway/test/mail-server'
import { aRealProvider } from '../../gateway/test/oidc/real-provider'
import { until } from '../ledger-view'
import { describeInBrowser } from './describe-in-browser'
import type { Session } from './session'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const password = 'correct-horse'
const mailTimeoutMs = 60_000

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const checks = (page: Page) => page.locator('iframe[title="Human check"]')

const botCheck = (page: Page) => page.frameLocator('iframe[title="Human check"]').last().getByRole('button')

/** Solves the bot check above the submit button. Resolves when the form has its token. */
async function solve(page: Page): Promise<void> {
  await botCheck(page).click()
  await page.locator('[data-is-passed="true"]').waitFor()
}

async function fillBoth(page: Page, labels: readonly [string, string], value: string): Promise<void> {
  for (const label of labels) await page.getByLabel(label, { exact: true }).fill(value)
}

async function logIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await solve(page)
  await button(page, 'Sign in').click()
  await page.waitForURL('**/app/tokens')
}

/** Resolves with the latest match in a mail, sent to this address if one is given, once it has arrived. */
const waitForMailMatch = ({ received }: MailServer, pattern: RegExp, address = ''): Promise<string> =>
  until(
    async () =>
      received
        .filter(({ to }) => to.join(' ').includes(address))
        .map(({ text }) => pattern.exec(text)?.[0])
        .findLast((found) => found !== undefined) ?? '',
    (found) => found !== '',
    mailTimeoutMs,
  )

/** Creates a key and calls a model with it from the same page. */
async function makeFirstCall(page: Page): Promise<void> {
  await button(page, 'Create token').first().click()
  const drawer = page.getByRole('dialog', { name: 'Create token' })
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('First')
  await drawer.getByRole('button', { name: 'Create token' }).click()
  const created = page.getByRole('dialog', { name: 'Token “First” created' })
  await created.getByRole('tab', { name: 'Try it' }).click()
  await created.getByRole('button', { name: 'Send', exact: true }).click()
  await created.getByRole('log').getByText('the quick brown fox').waitFor()
}

describeInBrowser('sign-in and registration', () => {
  let site: Site
  const cleanup = new AsyncDisposableStack()
  let mails: MailServer
  let turnstile: TurnstileStandIn
  const linuxdo = startLinuxDo()
  const wechat = startWeChatServer()
  const telegram = startTelegramWidget()

  let member: Session
  beforeAll(async () => {
    turnstile = startTurnstile({ hostname: '127.0.0.1' })
    for (const standIn of [linuxdo, wechat, telegram, turnstile]) cleanup.defer(() => standIn.stop())
    mails = cleanup.use(await aMailServer())
    site = cleanup.use(
      await aSite({
        TURNSTILE_URL: turnstile.url,
        TELEGRAM_URL: telegram.url,
        LINUXDO_URL: linuxdo.url,
      }),
    )
    linuxdo.callbackUrl = `${site.url}/oauth/linuxdo`
    telegram.origin = site.url
    const person = { sub: 'olga-7', name: 'Olga', email: 'olga@example.com', email_verified: true }
    const oidc = cleanup.use(await aRealProvider(person, `${site.url}/oauth/oidc`))
    await site.console.addChannel({ name: 'upstream', base_url: site.simulator.url, models: 'gpt-4o-mini' })
    await site.console.setOptions({
      ServerAddress: site.url,
      ModelRatio: { 'gpt-4o-mini': 0.1 },
      QuotaForNewUser: 500_000,
      SMTPServer: '127.0.0.1',
      SMTPPort: mails.port,
      SMTPFrom: 'gate@example.com',
      EmailVerificationEnabled: true,
      TurnstileSiteKey: turnstile.siteKey,
      TurnstileSecretKey: turnstile.secretKey,
      LinuxDOClientId: linuxdo.clientId,
      LinuxDOClientSecret: linuxdo.clientSecret,
      LinuxDOMinimumTrustLevel: 1,
      'oidc.well_known': oidc.wellKnown,
      'oidc.client_id': oidc.clientId,
      'oidc.client_secret': oidc.clientSecret,
      WeChatServerAddress: wechat.url,
      WeChatServerToken: wechat.token,
      TelegramBotToken: telegram.botToken,
      TelegramBotName: telegram.botName,
    })
    // Created before the bot check is turned on.
    member = await site.signIn('user')
    await site.console.setOptions({
      TurnstileCheckEnabled: true,
      LinuxDOOAuthEnabled: true,
      'oidc.enabled': true,
      WeChatAuthEnabled: true,
      TelegramOAuthEnabled: true,
    })
  }, siteTimeoutMs)
  afterAll(() => cleanup.disposeAsync())

  test('registration with a mailed code leads to a first model call', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    // Turning the check on asked about its secret.
    const verificationsBefore = turnstile.verifications.length
    await page.goto('/register?aff=q7Xk')
    await page.getByText('You were invited with the code q7Xk.').waitFor()
    await page.getByLabel('Username').fill('newcomer')
    await fillBoth(page, ['Password', 'Repeat the password'], password)
    await page.getByLabel('Email address').fill('newcomer@example.com')
    await button(page, 'Send code').click()
    // The bot check of the code stands above that of the form.
    await checks(page).nth(1).waitFor()
    await page.frameLocator('iframe[title="Human check"]').first().getByRole('button').click()
    await page.getByLabel('Verification code').fill(await waitForMailMatch(mails, /\b\d{6}\b/))
    await solve(page)
    await button(page, 'Sign up').click()
    await page.waitForURL('**/login')
    await logIn(page, 'newcomer', password)
    await makeFirstCall(page)

    expect(turnstile.verifications.slice(verificationsBefore).map(({ errors }) => errors)).toEqual([[], [], []])
  })

  test('a mailed link sets the first password of a member who signed up with OIDC, and works once', async () => {
    {
      await using visitor = await aVisitor(site.url)
      const { page } = visitor
      await page.goto('/login?returnTo=%2Fapp%2Fme')
      await button(page, 'Continue with OIDC').click()
      await page.waitForURL('**/app/me')
    }

    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/login')
    // It moves the link when it appears.
    await botCheck(page).waitFor()
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email address').fill('olga@example.com')
    await solve(page)
    await button(page, 'Send the link').click()
    await page.getByText(/^If an account has the address olga@example.com/).waitFor()
    const link = await waitForMailMatch(mails, /https?:\/\/\S+\/user\/reset\?\S+/)
    const setPassword = async () => {
      await page.goto(link)
      await fillBoth(page, ['New password', 'Repeat the new password'], password)
      await button(page, 'Set the password').click()
    }
    await setPassword()
    await page.waitForURL('**/login')
    await logIn(page, 'olga@example.com', password)
    await setPassword()
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  })

  test('Telegram’s button signs up a new user, and its link does not work in another browser', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/login')
    await button(page, 'Continue with Telegram').click()
    const [arrival] = await Promise.all([
      page.waitForRequest(/\/oauth\/telegram\?/),
      page.frameLocator('iframe[title="Telegram"]').getByRole('link', { name: 'Log in with Telegram' }).click(),
    ])
    await page.waitForURL('**/app/tokens')
    await using other = await aVisitor(site.url)
    await other.page.goto(arrival.url())
    await other.page.waitForURL('**/login')
    await other.page.getByText('This sign-in was not started here').waitFor()
  })

  test('a member links a mail address, an account at a provider and one by its code', async () => {
    linuxdo.user = { id: 82, login: 'lina-two', trust_level: 1 }
    await using visitor = await aVisitor(site.url, {
      session: member,
      // Each is refused once before the dialog asks for the password.
      expected: [/^request: \w+ .*\/api\/oauth\/.* 403$/],
    })
    const { page } = visitor
    const confirm = async () => {
      const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
      await dialog.getByRole('textbox').fill('customer-password')
      await page.keyboard.press('Enter')
    }
    const isLinked = (name: string) =>
      page.getByRole('listitem').filter({ hasText: name }).getByText('Linked', { exact: true }).waitFor()

    await page.goto('/app/me?tab=sign-in')
    const mail = page.getByRole('region', { name: 'Email' })
    await mail.getByRole('button', { name: 'Link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link an email address' })
    await dialog.getByLabel('Email address').fill('member@example.com')
    await dialog.getByRole('button', { name: 'Send code' }).click()
    await page.frameLocator('iframe[title="Human check"]').first().getByRole('button').click()
    const code = await waitForMailMatch(mails, /(?<=to use this email address[^]*)\b\d{6}\b/, 'member@example.com')
    await dialog.getByLabel('Verification code').fill(code)
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await confirm()
    await mail.getByText('member@example.com is linked.').waitFor()

    await button(page, 'Link LinuxDO').click()
    await confirm()
    await isLinked('LinuxDO')
    await page.waitForURL('**/app/me?tab=sign-in')
    await button(page, 'Link WeChat').click()
    const weChat = page.getByRole('dialog', { name: 'Link WeChat' })
    await weChat.getByLabel('Code from WeChat').fill(wechat.codeFor('open-id-1'))
    await weChat.getByRole('button', { name: 'Link', exact: true }).click()
    await confirm()
    await isLinked('WeChat')
  })
})
