import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { until } from '../ledger-view'
import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

const reason = 'Incorrect API key provided: [key]'

let site: Site
let key: string

/** The upstream refuses the channel's key until told to accept it again. */
const breakUpstream = () =>
  site.simulator.when(({ apiKey }) => apiKey === 'sk-upstream', {
    fault: {
      kind: 'status',
      status: 401,
      body: {
        error: {
          message: 'Incorrect API key provided: sk-***',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      },
    },
  })

async function statusOfCall(): Promise<number> {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.body?.cancel()
  return response.status
}

const listedModels = async (): Promise<string> =>
  (await fetch(`${site.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).text()

/**
 * Makes one call fail and waits until its channel is out: a call gets its response before its effect on the channel is known. A second failed
 * call could switch the channel off once more, after it was enabled again.
 */
async function failOnce(): Promise<void> {
  expect(await statusOfCall()).not.toBe(200)
  const models = await until(listedModels, (text) => !text.includes('gpt-4o'))
  expect(models).not.toContain('gpt-4o')
}

const row = (page: Page) => page.getByRole('row', { name: /The upstream/ })

const visit = async () => aVisitor(site.url, { session: await site.signIn('root') })

describeInBrowser('automatic disabling of channels', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.setOptions({ AutomaticDisableChannelEnabled: true, AutomaticEnableChannelEnabled: true })
    await site.console.addChannel({ name: 'The upstream', base_url: site.simulator.url, models: 'gpt-4o' })
    key = await site.console.addToken({ name: 'Web shop' })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())
  beforeEach(() => site.simulator.reset())

  test('a failing channel disables itself, shows why, and is enabled again when a test of all channels succeeds', async () => {
    expect(await statusOfCall()).toBe(200)
    const repair = breakUpstream()
    await failOnce()

    await using visitor = await visit()
    const { page } = visitor
    await page.goto('/admin/channels')
    await row(page).getByText('Auto-disabled').hover()
    await page.getByRole('tooltip').getByText(reason).waitFor()
    await pushPath(page, '/admin/channels?status=3')
    await row(page).waitFor()

    await row(page).getByRole('button', { name: 'Test', exact: true }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'The upstream: The test failed' })
    await failure.getByText(reason).waitFor()
    await row(page).getByText('Auto-disabled').waitFor()
    repair()
    await pushPath(page, '/admin/channels')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Test all channels' }).click()
    await row(page).getByText('Enabled', { exact: true }).waitFor()
    expect(await statusOfCall()).toBe(200)
  })

  test('a disabled channel is enabled by hand', async () => {
    const repair = breakUpstream()
    await failOnce()
    await using visitor = await visit()
    const { page } = visitor
    await page.goto('/admin/channels')
    await row(page).getByText('Auto-disabled').waitFor()
    repair()
    await row(page).getByRole('button', { name: 'Enable', exact: true }).click()
    await row(page).getByText('Enabled', { exact: true }).waitFor()
    expect(await statusOfCall()).toBe(200)
  })
})
