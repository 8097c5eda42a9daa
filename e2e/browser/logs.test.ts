import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { accessibilityFaults } from './accessibility'
import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type Visitor } from './visitor'

let site: Site
let key: string

const logs = '/app/logs/api-usage'

const visit = async (): Promise<Visitor> => {
  const visitor = await aVisitor(site.url, { session: await site.signIn('root') })
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  return visitor
}

/** Makes a call and returns its id. */
async function callModel(model: string, text = 'Hello'): Promise<string> {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }] }),
  })
  expect(response.status).toBe(200)
  await response.body?.cancel()
  return response.headers.get('x-request-id') ?? ''
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Details' })
const rows = (page: Page) => page.locator('tr[data-row]')

describeInBrowser('the usage log', () => {
  beforeAll(async () => {
    site = await aSite()
    const base_url = site.simulator.url
    await site.console.setOptions({ RetryTimes: 2, LogErrorEnabled: true, LogChatContentEnabled: true })
    const broken = { name: 'Broken upstream', key: 'sim:fault=status-503', models: 'gpt-4o', priority: 10 }
    await site.console.addChannel({ base_url, ...broken })
    const steady = { name: 'Steady upstream', key: 'sim:prompt=5200;cached=1024;tokens=300' }
    await site.console.addChannel({ base_url, ...steady, models: 'gpt-4o,gpt-4o-mini' })
    key = await site.console.addToken({ name: 'Web shop' })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('a copied link of a retried call shows both attempts, prices, and a formula that equals its cost', async () => {
    await callModel('gpt-4o', 'What is a tollgate?')
    await using visitor = await visit()
    const { page } = visitor
    await page.goto(`${logs}?type=2&model=gpt-4o`)
    const row = rows(page).filter({ hasText: 'gpt-4o' })
    await row.click()
    await panelOf(page).getByRole('heading', { name: 'gpt-4o' }).waitFor()
    const link = page.url()
    expect(link).toContain('open=')
    await page.goto(link.replace('model=gpt-4o', 'model=no-such-model'))
    await page.getByText('No results match your filters').waitFor()
    const panel = panelOf(page)
    const attempts = panel.getByRole('listitem')
    await attempts.nth(1).waitFor()
    await attempts.filter({ hasText: 'Broken upstream' }).waitFor()
    await becomes(
      () => attempts.allTextContents(),
      [expect.stringMatching(/^Broken upstream.*503/), expect.stringMatching(/^Steady upstream.*200/)],
    )

    await panel
      .getByText(/^[\d,]+ × \$[\d.]+\/M$/)
      .first()
      .waitFor()
    await panel.getByRole('switch', { name: 'As ratios' }).check()
    const charged = await panel.getByText(/^[\d,]+ = \$/).innerText()
    const [left = ''] = /\([\d,.+ ×]+\)[\d,. ×]*\d/.exec(await panel.innerText()) ?? []
    expect(evaluateFormula(left)).toBe(Number(charged.split(' = ')[0]?.replaceAll(',', '')))
    await panel.getByText('What is a tollgate?').waitFor()
    expect(await accessibilityFaults(page, { within: 'aside[aria-label]' })).toEqual([])
  })
})

/** Evaluates a formula of numbers, brackets, `+` and `×` as displayed. */
function evaluateFormula(formula: string): number {
  const [, sum = '', factors = ''] = /^\((.*)\)(.*)$/.exec(formula) ?? []
  const product = (text: string) =>
    text
      .split('×')
      .map((factor) => Number(factor.replaceAll(',', '').trim() || '1'))
      .reduce((one, other) => one * other, 1)
  return Math.round(
    sum
      .split('+')
      .map(product)
      .reduce((one, other) => one + other, 0) * product(factors),
  )
}
