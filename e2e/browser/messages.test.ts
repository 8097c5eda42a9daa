import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { tabTo } from './by-keyboard'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

const elsewhere = 'https://elsewhere.example'

/** What a message must not contain, each with the selector that would find it. */
const tricks = [
  ['<script>window.__pwned = 1</script>', 'script'],
  ['<img src="x" onerror="window.__pwned = 1">', '[onerror]'],
  ['<b onclick="window.__pwned = 1">bold</b>', '[onclick]'],
  ['<style>body { display: none }</style>', 'style'],
  [`<link rel="stylesheet" href="${elsewhere}/a.css">`, 'link'],
  [`<form action="${elsewhere}/in"><input name="password"><button>Log in</button></form>`, 'form, input, button'],
  [`<iframe src="${elsewhere}/frame"></iframe>`, 'iframe'],
  [`<img src="${elsewhere}/picture" srcset="${elsewhere}/set 2x" alt="a cat">`, 'img'],
  [`<video src="${elsewhere}/video" poster="${elsewhere}/poster"></video>`, 'video'],
  [`<svg><image href="${elsewhere}/drawing"></image></svg>`, 'svg'],
  [`<div style="position: fixed; inset: 0; background: url(${elsewhere}/ground)">over all</div>`, '[style]'],
  [`<table background="${elsewhere}/table"><tr><td>a table</td></tr></table>`, '[background]'],
  ['<p class="mantine-Modal-overlay" id="content">dressed up</p>', '[class], [id]'],
  ['<a href="javascript:window.__pwned = 1">run</a>', '[href^="javascript:"]'],
  [`<meta http-equiv="refresh" content="0; url=${elsewhere}/away">`, 'meta'],
] as const

const hostile = `${tricks.map(([html]) => html).join('\n')}\n<p>the end</p>`

async function openDrawer(page: Page) {
  await page.getByRole('button', { name: 'Create message' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Create message' })
  const field = (name: string) => drawer.getByRole('textbox', { name, exact: true })
  return { drawer, field, send: () => drawer.getByRole('button', { name: 'Send' }).click() }
}

describeInBrowser('messages', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('messages to one user and to all are written, read, and disappear for their readers when deleted', async () => {
    await using admin = await aVisitor(site.url, {
      session: await site.signIn('root'),
      // Chromium reports this of inert parsed documents, too.
      expected: [/Executing inline event handler violates/],
    })
    await admin.page.goto('/admin/messages')
    const first = await openDrawer(admin.page)
    await first.send()
    for (const fault of ['title', 'content'])
      await first.drawer.getByText(`Please enter the message ${fault}`).waitFor()
    await first.drawer.getByText('Please select at least one recipient').waitFor()
    await first.field('Title').fill('Your invoice')
    await first.field('Content').fill('It is **paid**.')
    await first.drawer.getByRole('checkbox', { name: /^customer/ }).check()
    await first.send()
    await first.drawer.waitFor({ state: 'detached' })

    const second = await openDrawer(admin.page)
    await second.field('Title').fill('Maintenance')
    await second.field('Content').fill(hostile)
    await second.drawer.getByText('HTML', { exact: true }).click()
    await second.drawer.getByText('Preview', { exact: true }).click()
    await second.drawer.getByRole('region', { name: 'Preview' }).getByText('the end').waitFor()
    await second.drawer.getByRole('combobox', { name: 'Recipients' }).selectOption('All users')
    await second.drawer.getByText('2 users will get this message.').waitFor()
    await second.send()
    const question = admin.page.getByRole('dialog', { name: 'Send to all users?' })
    await question.getByText('2 users will get this message.').waitFor()
    await question.getByRole('button', { name: 'Send' }).click()
    const row = admin.page.getByRole('row').filter({ hasText: 'Maintenance' })
    await row.getByText('HTML').waitFor()

    await using reader = await aVisitor(site.url, { session: await site.signIn('user'), hasNoPolicy: true })
    const { page } = reader
    const requests: string[] = []
    await reader.context.route(`${elsewhere}/**`, (route) => {
      requests.push(route.request().url())
      return route.abort()
    })
    await page.clock.install()
    await page.goto('/app/wallet')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.clock.fastForward(6000)
    const bell = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true })
    await bell('Inbox 2 unread').waitFor()
    await tabTo(page, bell('Inbox 2 unread'))
    await page.keyboard.press('Enter')
    await page.getByText('2 unread', { exact: true }).first().waitFor()
    await page.getByRole('row', { name: /Maintenance/ }).focus()
    await page.keyboard.press('Enter')
    const end = page.getByRole('article').getByText('the end')
    await end.waitFor()
    await bell('Inbox 1 unread').waitFor()
    const message = end.locator('xpath=..')
    const found = await message.evaluate(
      (body, selectors) => selectors.filter((selector) => body.querySelector(selector) !== null),
      tricks.map(([, selector]) => selector),
    )
    expect(found).toEqual([])
    const imageLink = message.getByRole('link', { name: 'Picture: a cat (open elsewhere.example)' })
    await becomes(
      () => Promise.all([imageLink.getAttribute('target'), imageLink.getAttribute('rel')]),
      ['_blank', 'noreferrer noopener'],
    )
    expect(await page.evaluate(() => '__pwned' in window)).toBe(false)
    expect(requests).toEqual([])

    await row.getByRole('button', { name: 'Edit: Maintenance' }).click()
    const edit = admin.page.getByRole('dialog', { name: 'Edit message' })
    await edit.getByText('1 of 2 (50%)').waitFor()
    await becomes(() => edit.getByRole('table', { name: 'Recipients' }).getByRole('row').count(), 3)
    await edit.getByRole('textbox', { name: 'Title' }).fill('Maintenance on Monday')
    await edit.getByRole('button', { name: 'Update message' }).click()
    await admin.page.getByRole('button', { name: 'Delete: Maintenance on Monday' }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await admin.page.getByText('Message deleted successfully').waitFor()

    await page.clock.fastForward(31_000)
    await page.waitForURL('**/app/inbox')
    await page.getByText('This message does not exist').waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await bell('Inbox').waitFor()

    const polls: string[] = []
    page.on('request', (request) => request.url().endsWith('/unread_count') && polls.push(request.url()))
    await Promise.all([page.waitForResponse(/unread_count$/), page.clock.fastForward(31_000)])
    expect(polls).toHaveLength(1)
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.clock.fastForward(60_000)
    expect(polls).toHaveLength(1)
  })
})
