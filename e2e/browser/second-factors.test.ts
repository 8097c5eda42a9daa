import { afterAll, beforeAll, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const password = 'customer-password'
/** Each purpose is refused once before the dialog asks for a proof. */
const expected = [/^request: POST .*\/begin 403$/]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function logIn(page: Page, username = 'customer'): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

/** Forgets the session on a page that does not call the server. */
async function forgetSession(page: Page): Promise<void> {
  await page.goto('/health/live')
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.removeItem('user'))
}

describeInBrowser('second factors', () => {
  let site: Site
  let url: string
  beforeAll(async () => {
    site = await aSite()
    // Passkeys are bound to a host name.
    url = site.url.replace('127.0.0.1', 'localhost')
    await site.signIn('user')
    await site.console.setOptions({ ServerAddress: url })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a passkey is added, signs in without a password and satisfies a confirmation', async () => {
    await using visitor = await aVisitor(url, { expected })
    const { page, context } = visitor
    const tools = await context.newCDPSession(page)
    // The next visit may get this page.
    await using _authenticator = { [Symbol.asyncDispose]: () => tools.detach() }
    await tools.send('WebAuthn.enable')
    await tools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await logIn(page)
    await page.waitForURL('**/app/tokens')
    await pushPath(page, '/app/me?tab=security')
    await button(page, 'Add a passkey').click()
    await page.getByRole('dialog', { name: 'Add a passkey' }).getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Your password').fill(password)
    await button(page, 'Confirm').click()
    await button(page, 'I have saved them').click()
    await page.getByText('never used').waitFor()

    await forgetSession(page)
    await page.goto('/login')
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL('**/app/tokens')
    await pushPath(page, '/app/me?tab=security')
    await button(page, 'Set up').click()
    await button(page, 'Use a passkey').click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  })
})
