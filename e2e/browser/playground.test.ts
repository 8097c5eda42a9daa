import { afterAll, beforeAll, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'
import type { Page } from 'playwright-core'

import { accessibilityFaults } from './accessibility'
import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type VisitorOptions } from './visitor'

const dollar = 500_000
/** Instructions for the stand-in upstream in the model's name. */
const slow = 'sim:tokens=400;gap=25'
const failing = 'sim:fault=error-after-frames;gap=25'

let site: Site

const visit = async (options: VisitorOptions = {}) =>
  aVisitor(site.url, { session: await site.signIn('user'), ...options })

const open = (page: Page, model = 'gpt-4o-mini') => page.goto(`/playground?model=${encodeURIComponent(model)}`)

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

const logOf = (page: Page) => page.getByRole('log')
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true })

describeInBrowser('playground conversations', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.setOptions({ ModelRatio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.1, [slow]: 1, [failing]: 1 } })
    await site.console.addChannel({
      name: 'upstream',
      base_url: site.simulator.url,
      models: ['gpt-4o', 'gpt-4o-mini', slow, failing].join(','),
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
    expect(await accessibilityFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: /Hello, fox/ }).waitFor()
    await page.reload()
    await logOf(page).getByText('the quick brown fox').waitFor()
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByText('Start a conversation').waitFor()
    await page.getByRole('link', { name: /Hello, fox/ }).click()
    await logOf(page).getByText('the quick brown fox').waitFor()
  })

  test('a stopped response keeps what arrived and can be regenerated', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, slow)
    await send(page, 'Go on and on')
    await logOf(page).getByText('the quick brown fox').waitFor()
    await stopButton(page).click()
    await logOf(page).getByText('Stopped').waitFor()
    await becomes(() => logOf(page).textContent(), expect.stringContaining('the quick brown'))
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('2 / 2').waitFor()
    await logOf(page).getByText('the quick brown fox').waitFor()
    await stopButton(page).click()
    await sendButton(page).waitFor()
  })

  test('a response that breaks off keeps its beginning, says why, and can be retried', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, failing)
    await send(page, 'Break')
    const alert = logOf(page).getByRole('alert')
    await alert.waitFor()
    await becomes(() => logOf(page).textContent(), expect.stringContaining('the quick'))
    await page.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('option', { name: 'gpt-4o', exact: true }).click()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await logOf(page).getByText('the quick brown fox').waitFor()
    await becomes(() => alert.count(), 0)
  })

  test('two models respond side by side, each stopped separately', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, slow)
    await page.getByRole('button', { name: 'Compare with another model' }).click()
    await send(page, 'Race')
    await logOf(page).getByText(/^\$/).first().waitFor()
    await logOf(page).getByText('the quick brown fox').nth(1).waitFor()
    await page.getByRole('button', { name: `Stop ${slow}` }).click()
    await logOf(page).getByText('Stopped').waitFor()
    await becomes(() => logOf(page).getByText('the quick brown fox').count(), 2)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('an attached image is sent along', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') })
    await page.getByRole('img', { name: 'Image 1' }).waitFor()
    const sent = page.waitForRequest('**/pg/chat/completions')
    await send(page, 'What is it?')
    expect((await sent).postData()).toContain(`data:image/png;base64,${dot}`)
    await logOf(page).getByText('the quick brown fox').waitFor()
  })

  test.each([1440, 390])('the composer stays in place whatever a model says, %p pixels wide', async (width) => {
    await using visitor = await visit({ width })
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
    const overflow = await page.evaluate(() => {
      const box = document.querySelector('[role=log]') ?? document.body
      const root = document.documentElement
      return [root.scrollWidth - root.clientWidth, box.scrollWidth - box.clientWidth]
    })
    expect(overflow).toEqual([0, 0])
    expect(await page.title()).toStartWith('Playground')
  })
})
