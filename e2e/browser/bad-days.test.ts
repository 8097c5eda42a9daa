import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page, Route } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

/** The pages with the call that each of them lives on. */
const pages = [
  { path: '/app/tokens', call: '**/api/token?**' },
  { path: '/admin/channels', call: /\/api\/channel\/?\?/ },
  { path: '/app/logs/api-usage', call: /\/api\/log\/?\?/ },
  { path: '/app/dashboard', call: /\/api\/data\/?\?/ },
  { path: '/pricing', call: '**/api/pricing' },
]

const refusal = (code: string, message: string) =>
  JSON.stringify({ success: false, message, code, request_id: 'req-of-a-bad-day' })

/** What may go wrong, and what a page then says. */
const days = [
  {
    name: 'the server is gone',
    answer: (route: Route) => route.abort('connectionrefused'),
    sentence: 'The server cannot be reached. Check your connection and try again.',
  },
  {
    name: 'the server fails',
    answer: (route: Route) => route.fulfill({ status: 500, body: refusal('server.error', 'x') }),
    sentence: 'Internal server error, please contact the administrator',
  },
  {
    name: 'the server has enough',
    answer: (route: Route) => route.fulfill({ status: 429, body: refusal('rate.limited', 'x') }),
    sentence: 'Too many requests, please try again later',
  },
  {
    name: 'a proxy answers in the server’s place',
    answer: (route: Route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
    sentence: 'The server answered with status 502',
  },
]

let site: Site

const expected = [/^request: /]

describeInBrowser('on a bad day', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test.each(pages.flatMap((page) => days.map((day) => [page.path, day.name, page, day] as const)))(
    '%s says so when %s, and goes on afterwards',
    async (_path, _name, { path, call }, { answer, sentence }) => {
      await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
      const { page } = visitor
      await page.route(call, answer)
      await page.goto(path)
      await page.getByText(sentence).first().waitFor()
      await page.unroute(call)
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.getByText(sentence).first().waitFor({ state: 'detached' })
    },
  )

  test('a page tells a guest why the session ended, and brings back where it was', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
    const { page } = visitor
    await page.goto('/app/tokens?keyword=abc')
    await visitor.context.clearCookies()
    await page.reload()
    await page.getByText('Not logged in or login expired, please log in again').waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/app/tokens?keyword=abc')
    await signInByHand(page)
    await page.waitForURL('**/app/tokens?keyword=abc')
  })

  test('what may not be seen is said to be so', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user'), expected })
    await visitor.page.goto('/admin/channels')
    await visitor.page.getByText('You may not see this').waitFor()
  })

  test('a page waits for a slow answer without jumping', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root') })
    const { page } = visitor
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/token?**', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto('/app/tokens')
    await page.locator('[aria-busy="true"]').first().waitFor()
    gate.resolve()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  })
})

async function signInByHand(page: Page) {
  await page.getByRole('textbox', { name: /user name|username/i }).fill('root')
  await page.getByLabel('Password', { exact: true }).fill('root-password')
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
}
