import { afterAll, beforeAll, expect, test } from 'bun:test'

import { defaultOptions, optionRoutes, optionText, userRoutes, type OptionKey } from '@tollgate/contract'

import { keysOf, settingsPages } from '../../console/src/features/settings/settings-pages'
import { accessibilityFaults } from './accessibility'
import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { outside } from './outside'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { targetFaults } from './target-faults'
import { aVisitor } from './visitor'

let site: Site

const readOption = async (key: string) => {
  const rows = await site.console.call(optionRoutes.listOptions)
  return rows.find((row) => row.key === key)?.value
}

/** Changes options until the end of a test. */
async function switchOptions(options: Partial<Record<OptionKey, string>>): Promise<AsyncDisposable> {
  await site.console.setOptions(options)
  const keys = Object.keys(options) as OptionKey[]
  const before = Object.fromEntries(keys.map((key) => [key, optionText(key, defaultOptions[key])]))
  return { [Symbol.asyncDispose]: () => site.console.setOptions(before) }
}

describeInBrowser('system settings', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('changes on several settings pages are saved together', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    await page.goto('/admin/settings?page=monitoring')
    await page.getByRole('textbox', { name: 'Longest response time' }).fill('2')
    await page.getByRole('combobox', { name: 'Unit of Longest response time' }).selectOption('minutes')
    await page.getByRole('textbox', { name: 'Longest response time' }).fill('2')
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Routing' }).click()
    await page.getByRole('textbox', { name: 'Retries' }).fill('5')
    await page.getByRole('status').filter({ hasText: '2 changes' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    expect([await readOption('ChannelDisableThreshold'), await readOption('RetryTimes')]).toEqual(['120', '5'])
  })

  test('site texts and appearance reach guests, without the scripts in them', async () => {
    // The browser would not run a script element that is added to a page.
    const script = '<img src="/icons/192.png" alt="" onload="window.hasRun = true">'
    await using _ = await switchOptions({
      SystemName: 'Kite',
      Logo: '/icons/192.png',
      Footer: `<b>Kite Ltd</b>${script}`,
      Notice: `<h3>Maintenance</h3><p>On <i>Sunday</i></p>${script}`,
      HomePageContent: `# Welcome to Kite\n\n${script}`,
      About: 'Run by *Kite Ltd*.',
      'general_setting.docs_link': 'https://docs.example/',
    })
    await using visitor = await aVisitor(site.url, { hasNoPolicy: true })
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Welcome to Kite' }).waitFor()
    expect(await page.title()).toContain('Kite')
    await becomes(() => page.locator('header img').first().getAttribute('src'), '/icons/192.png')
    await becomes(() => page.locator('link[rel="apple-touch-icon"]').getAttribute('href'), '/icons/192.png')
    await page.getByRole('contentinfo').getByText('Kite Ltd').waitFor()
    await becomes(() => page.getByRole('link', { name: 'Docs' }).getAttribute('href'), 'https://docs.example/')
    const strip = page.getByRole('region', { name: 'Announcement' })
    await strip.getByText('Maintenance On Sunday').waitFor()
    await strip.getByRole('button', { name: 'Read more' }).click()
    const dialog = page.getByRole('dialog', { name: 'Announcement' })
    await dialog.getByText('Sunday').click()
    expect(await page.evaluate(() => 'hasRun' in window)).toBe(false)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await strip.waitFor({ state: 'detached' })
    await pushPath(page, '/about')
    await page.locator('em', { hasText: 'Kite Ltd' }).waitFor()
    // This version was dismissed; the next one is shown again.
    await becomes(() => strip.count(), 0)
    await site.console.setOptions({ Notice: 'Over' })
    await page.reload()
    await strip.getByText('Over').waitFor()
  })

  test('shop and display settings reach users', async () => {
    await using _ = await switchOptions({
      TopUpLink: 'https://shop.example/',
      Chats: '[{"Kite chat":"https://chat.example/?key={key}"}]',
      DefaultCollapseSidebar: 'true',
      QuotaPerUnit: '1000000',
      DataExportDefaultTime: 'day',
    })
    const { id } = (await site.console.call(userRoutes.searchUsers, { query: { keyword: 'customer' } })).items[0] ?? {}
    await site.console.call(userRoutes.manageUser, { body: { id: id ?? 0, action: 'add_quota', value: 3_000_000 } })
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user') })
    const { page } = visitor
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await page.goto('/app/dashboard')
    await page.getByRole('button', { name: 'Expand the menu' }).waitFor()
    await becomes(() => page.getByRole('radio', { name: 'Day' }).isChecked(), true)
    await pushPath(page, '/app/me')
    await page.getByText('$3.00').first().waitFor()
    await page.getByRole('button', { name: 'Account of customer' }).click()
    await page.getByRole('menuitem', { name: 'Top up' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Expand the menu' }).click()
    await menu.getByText('Chat', { exact: true }).click()
    await menu.getByRole('link', { name: 'Kite chat' }).waitFor()
    await menu.getByRole('link', { name: 'Dashboard' }).waitFor()
    await using _shown = await switchOptions({ DisplayInCurrencyEnabled: 'false', DataExportEnabled: 'false' })
    await page.goto('/app/me')
    await page.getByText('3M').first().waitFor()
    await becomes(() => menu.getByRole('link', { name: 'Dashboard' }).count(), 0)
  })

  test('the operator’s own head, style sheet and script run on every page except in a safe-mode tab', async () => {
    const own = [
      { key: 'custom_head_html', value: '<script>window.headRan = true</script>' },
      { key: 'global_css', value: '#content { outline: 3px solid rgb(1, 2, 3) }' },
      { key: 'global_js', value: "document.documentElement.dataset.own = 'yes'" },
    ]
    await site.console.call(optionRoutes.setOptions, { body: { items: own } })
    await using visitor = await aVisitor(site.url)
    const { page } = visitor
    const inspectPage = async () => {
      await page.locator('main h1').first().waitFor()
      return page.evaluate(() => [
        'headRan' in window,
        getComputedStyle(document.querySelector('main') ?? document.body).outlineColor,
        document.documentElement.dataset['own'] ?? 'no',
      ])
    }
    await page.goto('/about')
    expect(await inspectPage()).toEqual([true, 'rgb(1, 2, 3)', 'yes'])
    await page.goto('/about?safe=1')
    const without = await inspectPage()
    expect([without[0], without[2]]).toEqual([false, 'no'])
    expect(without[1]).not.toBe('rgb(1, 2, 3)')
    // The tab stays in safe mode on addresses that do not ask for it.
    await page.goto('/pricing')
    expect(await inspectPage()).toEqual(without)
    await page.getByRole('button', { name: 'Leave safe mode' }).click()
    await page.waitForFunction(() => document.documentElement.dataset['own'] === 'yes')
    expect(await inspectPage()).toEqual([true, 'rgb(1, 2, 3)', 'yes'])
    await site.console.call(optionRoutes.setOptions, { body: { items: own.map(({ key }) => ({ key, value: '' })) } })
  })

  test('every settings page is accessible and usable on a phone', async () => {
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
      const faults = [
        ...(await outside(page)),
        ...(await accessibilityFaults(page, { within: 'main' })),
        ...(await targetFaults(page, 'finger')),
      ]
      expect([name, faults]).toEqual([name, []])
    }
  })
})
