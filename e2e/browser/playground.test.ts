import { afterAll, beforeAll, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { resize } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, phoneSize, wideSize } from './visitor'

const dollar = 500_000

let site: Site

const visit = async () => aVisitor(site.url, { session: await site.signIn('user') })

const open = (page: Page) => page.goto('/playground?model=gpt-4o-mini')

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

const logOf = (page: Page) => page.getByRole('log')

describeInBrowser('playground conversations', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.setOptions({ ModelRatio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.1 } })
    await site.console.addChannel({
      name: 'upstream',
      base_url: site.simulator.url,
      models: 'gpt-4o,gpt-4o-mini',
    })
    const { items } = await site.console.call(userRoutes.listUsers, { query: {} })
    const id = items.find(({ username }) => username === 'customer')?.id ?? 0
    await site.console.call(userRoutes.manageUser, { body: { id, action: 'add_quota', value: dollar } })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a message gets a response with its usage, survives a reload, and is found again', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await send(page, 'Hello, fox')
    await logOf(page).getByText('the quick brown fox').waitFor()
    await logOf(page)
      .getByText(/→ \d+ tokens/)
      .waitFor()
    await logOf(page)
      .getByText(/^\$0\.\d+/)
      .waitFor()
    await page.waitForURL(/[?&]session=/)

    await page.getByRole('button', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: /Hello, fox/ }).waitFor()
    await page.reload()
    await logOf(page).getByText('the quick brown fox').waitFor()
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByText('Start a conversation').waitFor()
    await page.getByRole('link', { name: /Hello, fox/ }).click()
    await logOf(page).getByText('the quick brown fox').waitFor()
  })

  test('the composer stays in place whatever a model says, in a wide and in a narrow window', async () => {
    await using visitor = await visit()
    const { page } = visitor
    const turns = [
      'x'.repeat(20_000),
      `|${'a|'.repeat(80)}\n|${'-|'.repeat(80)}\n|${'wide|'.repeat(80)}`,
      Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}- deep`).join('\n'),
      `${'>'.repeat(20_000)} quoted`,
      `${'> '.repeat(39)} quoted`,
      '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">',
      `\`\`\`\n${'y'.repeat(5_000)}\n\`\`\``,
      'the end',
    ]
    const frame = JSON.stringify({ choices: [{ delta: { content: turns.join('\n\n') }, finish_reason: 'stop' }] })
    await page.route('**/pg/chat/completions', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: `data: ${frame}\n\ndata: [DONE]\n\n` }),
    )
    await open(page)
    await send(page, `Be nasty ${'z'.repeat(3_000)}`)
    await logOf(page).getByText('the end', { exact: true }).waitFor()
    for (const size of [wideSize, phoneSize]) {
      await resize(page, size)
      const overflow = await page.evaluate(() => {
        const box = document.querySelector('[role=log]') ?? document.body
        const root = document.documentElement
        return [root.scrollWidth - root.clientWidth, box.scrollWidth - box.clientWidth]
      })
      expect([size.width, ...overflow]).toEqual([size.width, 0, 0])
    }
    expect(await page.title()).toStartWith('Playground')
  })
})
