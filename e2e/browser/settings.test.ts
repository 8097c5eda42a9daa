import { afterAll, beforeAll, expect, test } from 'bun:test'

import { optionRoutes } from '@tollgate/contract'

import { keysOf, settingsPages } from '../../console/src/features/settings/settings-pages'
import { accessibilityFaults } from './accessibility'
import { describeInBrowser } from './describe-in-browser'
import { fingerFaults } from './finger-faults'
import { outside } from './outside'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

const stored = async (key: string) => {
  const rows = await site.console.call(optionRoutes.listOptions)
  return rows.find((row) => row.key === key)?.value
}

describeInBrowser('system settings', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('settings changed on two pages are saved together and are still there after a reload', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.goto('/admin/settings?page=monitoring')
    await page.getByRole('textbox', { name: 'Longest response time' }).fill('2')
    await page.getByRole('combobox', { name: 'Unit of Longest response time' }).selectOption('minutes')
    await page.getByRole('textbox', { name: 'Longest response time' }).fill('2')
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Routing' }).click()
    await page.getByRole('textbox', { name: 'Retries' }).fill('5')
    await page.getByRole('status').filter({ hasText: '2 changes' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    expect([await stored('ChannelDisableThreshold'), await stored('RetryTimes')]).toEqual(['120', '5'])
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'Retries' }).inputValue()).toBe('5')
  })

  test('every page can be used by everyone, with a finger too', async () => {
    await using visitor = await aVisitor(site.url, {
      session: await site.signIn('root'),
      language: 'en',
      theme: 'dark',
      isPhone: true,
    })
    const { page } = visitor
    await page.goto('/admin/settings')
    const menu = page.getByRole('combobox', { name: 'Settings pages' })
    for (const { name, sections } of settingsPages) {
      await menu.selectOption(name)
      const [first] = sections.flatMap(keysOf)
      await page.locator(`[data-option="${first}"]`).waitFor()
      await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'))
      const faults = [...(await outside(page)), ...(await accessibilityFaults(page)), ...(await fingerFaults(page))]
      expect([name, faults]).toEqual([name, []])
    }
  })
})
