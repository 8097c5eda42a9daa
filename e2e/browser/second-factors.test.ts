import { afterAll, beforeAll, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { stepAt, totpCode } from '../../gateway/src/accounts/factors/totp'
import { bytesOf } from '../../gateway/test/factor-site'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const password = 'customer-password'
/** Each purpose is refused once before the dialog asks for a proof. */
const expected = [/^request: POST .*\/(?:begin|api\/user\/login\/factor) 403$/]

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

/** Returns the code of the current 30 seconds, or of the next ones. */
const codeOf = (secret: string, ahead = 0) => totpCode(bytesOf(secret), stepAt(Math.floor(Date.now() / 1000)) + ahead)

/** Sets up an authenticator app on the open page. Resolves with its secret and the recovery codes. */
async function setUpTotp(page: Page, ownPassword: string): Promise<{ secret: string; codes: string[] }> {
  await button(page, 'Set up').click()
  await page.getByLabel('Your password').fill(ownPassword)
  await button(page, 'Confirm').click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const shown = await dialog.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).innerText()
  const secret = shown.replaceAll(' ', '')
  await dialog.getByLabel('Verification code').fill(codeOf(secret))
  await button(page, 'Turn on').click()
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await saved.getByRole('listitem').first().waitFor()
  const codes = await saved.getByRole('listitem').allInnerTexts()
  await button(page, 'I have saved them').click()
  return { secret, codes }
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
    await page.goto('/app/me?tab=security')
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
    await page.goto('/app/me?tab=security')
    await button(page, 'Set up').click()
    await button(page, 'Use a passkey').click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  })

  test('a role that requires a second factor is asked to set one up, then signs in with a code or a recovery code', async () => {
    {
      await using administrator = await aVisitor(url, { session: await site.signIn('root'), expected })
      await administrator.page.goto('/app/me?tab=security')
      await setUpTotp(administrator.page, 'root-password')
    }
    await site.console.setOptions({ SecondFactorRequired: 'everyone' })
    await site.console.call(userRoutes.createUser, { body: { username: 'ann', password } })

    await using visitor = await aVisitor(url, { expected: [...expected, / 403$/] })
    const { page } = visitor
    await logIn(page, 'ann')
    await page.getByText('Set up a second factor to continue').waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/me')
    const { secret, codes } = await setUpTotp(page, password)
    await page.goto('/app/tokens')
    await button(page, 'Create token').first().waitFor()

    for (const [label, code] of [
      ['Verification code', codeOf(secret, 1)],
      ['Recovery code', codes[0] ?? ''],
    ] as const) {
      await forgetSession(page)
      await logIn(page, 'ann')
      if (label === 'Recovery code') await button(page, 'Use a recovery code instead').click()
      await page.getByLabel(label).fill(code)
      await button(page, 'Verify').click()
      await page.waitForURL('**/app/tokens')
    }
  })
})
