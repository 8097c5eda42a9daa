import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page, Route } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { pushPath } from './pages/open-page'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor, type Visitor } from './visitor'

const refusal = (code: string, message: string) =>
  JSON.stringify({ success: false, message, code, request_id: 'req-of-a-bad-day' })

interface BadDay {
  readonly name: string
  readonly path: string
  /** The API call that the page depends on. */
  readonly call: string | RegExp
  readonly respond: (route: Route) => Promise<void>
  /** What the page then shows. */
  readonly sentence: string | RegExp
}

/** All pages show failures in the same place, so each has one kind of them. */
const days: readonly BadDay[] = [
  {
    name: 'the server is gone',
    path: '/app/tokens',
    call: '**/api/token?**',
    respond: (route) => route.abort('connectionrefused'),
    sentence: 'The server cannot be reached. Check your connection and try again.',
  },
  {
    name: 'the server fails',
    path: '/admin/channels',
    call: /\/api\/channel\/?\?/,
    respond: (route) => route.fulfill({ status: 500, body: refusal('server.error', 'x') }),
    // Administrators read where to look, users whom to ask.
    sentence: /^Internal server error[.,]/,
  },
  {
    name: 'the server has enough',
    path: '/app/logs/api-usage',
    call: /\/api\/log\/?\?/,
    respond: (route) => route.fulfill({ status: 429, body: refusal('rate.limited', 'x') }),
    sentence: 'Too many requests, please try again later',
  },
  {
    name: 'a proxy answers in the server’s place',
    path: '/app/dashboard',
    call: /\/api\/data\/?\?/,
    respond: (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
    sentence: 'The server responded with status 502',
  },
  {
    name: 'the answer breaks off',
    path: '/pricing',
    call: '**/api/pricing',
    respond: (route) => route.fulfill({ status: 200, body: '{"success":true,"data":{"items":[{"id":1,' }),
    sentence: 'The server cannot be reached. Check your connection and try again.',
  },
]

let site: Site

const expected = [/^request: /]

describeInBrowser('failing calls', () => {
  /** From page to page, each of which fails for the first time. */
  let visitor: Visitor
  beforeAll(async () => {
    site = await aSite()
    visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
    await visitor.page.goto('/about')
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  }, siteTimeoutMs)
  afterAll(async () => {
    await visitor[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  test.each(days.map((day) => [day.path, day.name, day] as const))(
    '%s says so when %s, and recovers afterwards',
    async (_path, _name, { path, call, respond, sentence }) => {
      const { page } = visitor
      await page.route(call, respond)
      await pushPath(page, path)
      const notice = page.getByText(sentence).first()
      await notice.waitFor()
      await page.unroute(call)
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await notice.waitFor({ state: 'detached' })
    },
  )

  test('a guest is told why the session ended and returns to the same page after signing in', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
    const { page } = visitor
    // Cleared before the page is opened: an open page polls now and then and might notice before it is reloaded.
    await visitor.context.clearCookies()
    await page.goto('/app/tokens?keyword=abc')
    await page.getByText('Not logged in or login expired, please log in again').waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/app/tokens?keyword=abc')
    await signInByHand(page)
    await page.waitForURL('**/app/tokens?keyword=abc')
  })
})

async function signInByHand(page: Page) {
  await page.getByRole('textbox', { name: /user name|username/i }).fill('root')
  await page.getByLabel('Password', { exact: true }).fill('root-password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
}
