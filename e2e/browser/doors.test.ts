import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startTurnstile, type TurnstileStandIn } from '@tollgate/simulator'
import type { Page } from 'playwright-core'

import { aMailServer, type MailServer } from '../../gateway/test/mail-server'
import { until } from '../ledger-view'
import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const password = 'correct-horse'
const patienceMs = 60_000

let site: Site
let mails: MailServer
let turnstile: TurnstileStandIn

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const widgets = 'iframe[title="Human check"]'
const solve = (page: Page) => page.frameLocator(widgets).last().getByRole('button', { name: 'I am human' }).click()

/** Resolves with the part of a mail that matches, once it has come. */
const mailLike = (pattern: RegExp): Promise<string> =>
  until(
    async () =>
      mails.received.map(({ text }) => pattern.exec(text)?.[0]).findLast((match) => match !== undefined) ?? '',
    (match) => match !== '',
    patienceMs,
  )

/** Solves the check of a form. Resolves when the form knows. */
async function solveForm(page: Page): Promise<void> {
  await solve(page)
  await page.locator('[data-is-passed="true"]').waitFor()
}

async function logIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await solveForm(page)
  await button(page, 'Log in').last().click()
}

describeInBrowser('the doors of a site', () => {
  beforeAll(async () => {
    mails = await aMailServer()
    turnstile = startTurnstile()
    site = await aSite({ TURNSTILE_URL: turnstile.url })
    await site.signIn('user')
    await site.console.addChannel({ name: 'upstream', base_url: site.simulator.url, models: 'gpt-4o-mini' })
    await site.console.setOptions({
      ServerAddress: site.url,
      SMTPServer: '127.0.0.1',
      SMTPPort: mails.port,
      SMTPFrom: 'gate@example.com',
      ModelRatio: { 'gpt-4o-mini': 0.1 },
      QuotaForNewUser: 500_000,
      RegisterEnabled: true,
      EmailVerificationEnabled: true,
      TurnstileSiteKey: turnstile.siteKey,
      TurnstileSecretKey: turnstile.secretKey,
    })
    await site.console.setOptions({ TurnstileCheckEnabled: true })
  }, siteTimeoutMs)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mails[Symbol.asyncDispose]()
    await turnstile.stop()
  })

  test('lead from an invitation to a first call, and by a mail to a new password', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/register?aff=q7Xk')
    await page.getByText('You were invited with the code q7Xk.').waitFor()
    await page.getByLabel('Username').fill('newcomer')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByLabel('Email address').fill('newcomer@example.com')
    await button(page, 'Send code').click()
    // It stands above the check of the form.
    await page.locator(widgets).nth(1).waitFor()
    await page.frameLocator(widgets).first().getByRole('button').click()
    await page.getByLabel('Verification code').fill(await mailLike(/\b\d{6}\b/))
    await solveForm(page)
    await button(page, 'Sign up').click()
    await page.waitForURL('**/login')

    await logIn(page, 'newcomer', password)
    await page.waitForURL('**/app/tokens')
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create token' })
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('First')
    await drawer.getByRole('button', { name: 'Create token' }).click()
    const created = page.getByRole('dialog', { name: 'Token “First” created' })
    await created.getByRole('tab', { name: 'Try it' }).click()
    await created.getByRole('button', { name: 'Send', exact: true }).click()
    await created.getByRole('log').getByText('the quick brown fox').waitFor()

    await using forgetful = await aVisitor(site.url)
    await forgetful.page.goto('/login')
    await forgetful.page.getByRole('link', { name: 'Forgot your password?' }).click()
    await forgetful.page.getByLabel('Email address').fill('newcomer@example.com')
    await solveForm(forgetful.page)
    await button(forgetful.page, 'Send the link').click()
    await forgetful.page.getByText(/^If an account has the address newcomer@example.com/).waitFor()
    const link = await mailLike(/https?:\/\/\S+\/user\/reset\?\S+/)
    await forgetful.page.goto(link)
    await forgetful.page.getByLabel('New password', { exact: true }).fill('another-horse')
    await forgetful.page.getByLabel('Repeat the new password').fill('another-horse')
    await button(forgetful.page, 'Set the password').click()
    await forgetful.page.waitForURL('**/login')
    await logIn(forgetful.page, 'newcomer@example.com', 'another-horse')
    await forgetful.page.waitForURL('**/app/tokens')

    await forgetful.page.goto(link)
    await forgetful.page.getByLabel('New password', { exact: true }).fill('a-third-horse')
    await forgetful.page.getByLabel('Repeat the new password').fill('a-third-horse')
    await button(forgetful.page, 'Set the password').click()
    await forgetful.page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  }, 120_000)

  test.each(['/login', '/register', '/reset'])('have a check at %s that nobody is kept out by', async (path) => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto(path)
    await page.frameLocator(widgets).getByRole('button').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
