import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { isFocused, tabTo } from './by-keyboard'
import { navigateTo, pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

const main = (page: Page) => page.getByRole('main')

/** Tabs to one control of a page after the other, each of which must look focused. @throws Error where they come in another order. */
async function walk(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await tabTo(
      page,
      main(page)
        .getByLabel(name, { exact: true })
        .or(main(page).getByRole('button', { name, exact: true }))
        .first(),
    )
  }
}

/** Opens something with Enter, checks that it traps the focus, and that Escape returns the focus to the opener. */
async function openAndLeave(page: Page, opener: Locator, opened: Locator): Promise<void> {
  await opener.focus()
  await page.keyboard.press('Enter')
  await opened.waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]') !== null)
  for (let tabs = 0; tabs < 15; tabs += 1) {
    await page.keyboard.press('Tab')
    expect(await opened.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await opened.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement !== document.body)
  expect([String(opener), await isFocused(opener)]).toEqual([String(opener), true])
}

describeInBrowser('sign-in pages and personal settings with the keyboard alone', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.signIn('user')
    await site.console.setOptions({
      ServerAddress: site.url.replace('127.0.0.1', 'localhost'),
      SMTPServer: '127.0.0.1',
      GitHubClientId: 'a',
      GitHubClientSecret: 'b',
      GitHubOAuthEnabled: true,
      WeChatServerAddress: 'https://wechat.example',
      WeChatServerToken: 'a',
      WeChatAuthEnabled: true,
    })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('sign-in pages are traversed by Tab in reading order', async () => {
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    await page.goto('/login')
    await page.getByLabel('Username or email').waitFor()
    expect(await isFocused(page.getByLabel('Username or email'))).toBe(true)
    await walk(page, ['Password', 'Sign in', 'Continue with GitHub', 'Continue with WeChat'])
    const weChat = page.getByRole('button', { name: 'Continue with WeChat' })
    await openAndLeave(page, weChat, page.getByRole('dialog', { name: 'Sign in with WeChat' }))
    await tabTo(page, page.getByRole('link', { name: 'Forgot your password?' }))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/reset')
    await page.getByLabel('Email address').waitFor()
    expect(await isFocused(page.getByLabel('Email address'))).toBe(true)
    await walk(page, ['Send the link'])
    await pushPath(page, '/register')
    await page.getByLabel('Username').waitFor()
    expect(await isFocused(page.getByLabel('Username'))).toBe(true)
    await walk(page, ['Password', 'Repeat the password', 'Sign up'])
    await pushPath(page, '/user/reset?email=ada%40example.com&token=t')
    await page.getByLabel('New password', { exact: true }).waitFor()
    expect(await isFocused(page.getByLabel('New password', { exact: true }))).toBe(true)
    await walk(page, ['Repeat the new password', 'Set the password'])
  })

  test('every tab of the personal settings is traversed by Tab, and its dialogs return the focus', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    await page.goto('/app/me')
    for (const [tab, opener, dialog] of [
      ['sign-in', 'Change password', 'Change password'],
      ['preferences', 'Delete account', 'Delete your account?'],
    ] as const) {
      await navigateTo(page, `/app/me?tab=${tab}`)
      // As the link does that skips the menus.
      await main(page).focus()
      const button = main(page).getByRole('button', { name: opener, exact: true })
      await tabTo(page, button)
      await openAndLeave(page, button, page.getByRole('dialog', { name: dialog }))
    }
    for (const [tab, last] of [
      ['overview', 'Edit profile'],
      ['security', 'Set up'],
      ['notification', 'Save'],
    ] as const) {
      await navigateTo(page, `/app/me?tab=${tab}`)
      // As the link does that skips the menus.
      await main(page).focus()
      const control = main(page).getByRole(last === 'Edit profile' ? 'link' : 'button', { name: last, exact: true })
      await control.waitFor()
      await tabTo(page, control)
    }
  })
})
