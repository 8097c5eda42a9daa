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

  test('settings of several pages are saved together, put back, and saved as far as they are allowed', async () => {
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
    await page.getByRole('button', { name: 'History: Retries' }).click()
    await page.getByRole('dialog').getByText('root').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Put back' }).click()
    await page.getByRole('status').filter({ hasText: '1 change' }).waitFor()
    // Nobody has linked an account: without passwords the site would be closed to its super admin.
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Registration' }).click()
    await page.getByRole('switch', { name: /^Sign in with a password/ }).click({ force: true })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Some settings could not be saved').waitFor()
    await page.getByRole('status').filter({ hasText: '1 change' }).waitFor()
    expect([await stored('RetryTimes'), await stored('PasswordLoginEnabled')]).toEqual(['3', 'true'])
  })

  test('the operator’s own head, style sheet and script run on every page, and not in a tab of safe mode', async () => {
    const own = [
      { key: 'custom_head_html', value: '<script>window.headRan = true</script>' },
      { key: 'global_css', value: '#content { outline: 3px solid rgb(1, 2, 3) }' },
      { key: 'global_js', value: "document.documentElement.dataset.own = 'yes'" },
    ]
    await site.console.call(optionRoutes.setOptions, { body: { items: own } })
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    const seen = async () => {
      await page.locator('main h1').first().waitFor()
      return page.evaluate(() => [
        'headRan' in window,
        getComputedStyle(document.querySelector('main') ?? document.body).outlineColor,
        document.documentElement.dataset['own'] ?? 'no',
      ])
    }
    await page.goto('/about')
    expect(await seen()).toEqual([true, 'rgb(1, 2, 3)', 'yes'])
    await page.goto('/about?safe=1')
    const without = await seen()
    expect([without[0], without[2]]).toEqual([false, 'no'])
    expect(without[1]).not.toBe('rgb(1, 2, 3)')
    // The tab stays in safe mode on addresses that do not ask for it.
    await page.goto('/pricing')
    expect(await seen()).toEqual(without)
    await page.getByRole('button', { name: 'Leave safe mode' }).click()
    await page.waitForFunction(() => document.documentElement.dataset['own'] === 'yes')
    expect(await seen()).toEqual([true, 'rgb(1, 2, 3)', 'yes'])
    await site.console.call(optionRoutes.setOptions, { body: { items: own.map(({ key }) => ({ key, value: '' })) } })
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
