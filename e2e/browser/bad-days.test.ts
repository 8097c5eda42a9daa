import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page, Route } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

/** Pages, each with the API call it depends on. All failures are shown in the same place, so one page covers all kinds of them. */
const pages = [
  { path: '/app/tokens', call: '**/api/token?**' },
  { path: '/admin/channels', call: /\/api\/channel\/?\?/ },
  { path: '/app/logs/api-usage', call: /\/api\/log\/?\?/ },
  { path: '/app/dashboard', call: /\/api\/data\/?\?/ },
  { path: '/pricing', call: '**/api/pricing' },
]

const refusal = (code: string, message: string) =>
  JSON.stringify({ success: false, message, code, request_id: 'req-of-a-bad-day' })

/** What may go wrong, and the sentence a page then shows. */
const days = [
  {
    name: 'the server is gone',
    answer: (route: Route) => route.abort('connectionrefused'),
    sentence: 'The server cannot be reached. Check your connection and try again.',
  },
  {
    name: 'the server fails',
    answer: (route: Route) => failing(route),
    // Administrators read where to look, users whom to ask.
    sentence: /^Internal server error[.,]/,
  },
  {
    name: 'the server has enough',
    answer: (route: Route) => route.fulfill({ status: 429, body: refusal('rate.limited', 'x') }),
    sentence: 'Too many requests, please try again later',
  },
  {
    name: 'a proxy answers in the server’s place',
    answer: (route: Route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
    sentence: 'The server responded with status 502',
  },
  {
    name: 'the answer breaks off',
    answer: (route: Route) => route.fulfill({ status: 200, body: '{"success":true,"data":{"items":[{"id":1,' }),
    sentence: 'The server cannot be reached. Check your connection and try again.',
  },
]

const failing = (route: Route) => route.fulfill({ status: 500, body: refusal('server.error', 'x') })

let site: Site

const expected = [/^request: /]

describeInBrowser('failing calls', () => {
  beforeAll(async () => {
    site = await aSite()
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  // In parallel: most of the time is spent waiting before a page retries.
  test.each(pages.map((page) => [page.path, page] as const))(
    '%s reports the failure and recovers afterwards',
    async (_path, page) => {
      const own = page === pages[0] ? days : days.filter((_, number) => page === pages[number])
      await Promise.all(own.map((day) => live(page, day)))
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

  test('a page without permission says so', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user'), expected })
    await visitor.page.goto('/admin/channels')
    await visitor.page.getByText('You don’t have access to this').waitFor()
  })

  test('a token that the server fails to save keeps its form and is saved by the next attempt', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('user'), expected })
    const { page } = visitor
    await page.route('**/api/token', failing, { times: 1 })
    await page.goto('/app/tokens?edit=new')
    const drawer = page.getByRole('dialog', { name: 'Create token' })
    const name = drawer.getByRole('textbox', { name: 'Name', exact: true })
    const addresses = drawer.getByRole('textbox', { name: 'Allowed addresses' })
    await name.fill('Stubborn')
    await addresses.fill('10.0.0.0/8')
    await drawer.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Internal server error, please contact the administrator').waitFor()
    await page.getByText('Request ID req-of-a-bad-day').waitFor()
    await becomes(() => Promise.all([name.inputValue(), addresses.inputValue()]), ['Stubborn', '10.0.0.0/8'])
    await drawer.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Token “Stubborn” created' }).waitFor()
  })

  test('a channel that the server fails to save keeps its form and is saved by the next attempt', async () => {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
    const { page } = visitor
    await page.goto('/admin/channels?edit=new')
    const editor = page.getByRole('dialog', { name: 'New channel' })
    await editor.getByRole('combobox', { name: 'Channel type' }).click()
    await page.getByRole('option', { name: 'OpenAI', exact: true }).click()
    const field = (name: string) => editor.getByRole('textbox', { name, exact: true })
    await field('Name').fill('Stubborn')
    await field('Base URL').fill(site.simulator.url)
    await field('Key').fill('sk-typed-with-care')
    await editor.getByRole('button', { name: /^Fill in suggestions/ }).click()
    await page.route(/\/api\/channel\/?$/, failing, { times: 1 })
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Internal server error\. The gateway’s log/).waitFor()
    await becomes(
      () => Promise.all([field('Name').inputValue(), field('Key').inputValue()]),
      ['Stubborn', 'sk-typed-with-care'],
    )
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Channel created' }).waitFor()
  })

  test('a message that fails to reach the server stays in the conversation and can be sent again', async () => {
    await site.console.addChannel({ name: 'upstream', base_url: site.simulator.url, models: 'gpt-4o' })
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
    const { page } = visitor
    await page.route('**/chat/completions', (route) => route.abort('connectionrefused'), { times: 1 })
    await page.goto('/playground?model=gpt-4o')
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Are you there?')
    await page.keyboard.press('Enter')
    const chatLog = page.getByRole('log')
    await chatLog.getByText('Are you there?').waitFor()
    await chatLog.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await chatLog.getByText('the quick brown fox').waitFor()
  })

  test('a list is shown although the call that names its rows fails', async () => {
    await site.console.addChannel({ name: 'Half known', base_url: site.simulator.url, models: 'gpt-4o-mini' })
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
    const { page } = visitor
    await page.route('**/api/channel/types', failing)
    await page.goto('/admin/channels')
    await page.getByRole('row', { name: /Half known/ }).waitFor()
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    const editor = page.getByRole('dialog', { name: 'New channel' })
    await editor.getByText(/Internal server error\. The gateway’s log/).waitFor()
    await page.unroute('**/api/channel/types')
    await editor.getByRole('button', { name: 'Try again' }).click()
    await editor.getByRole('combobox', { name: 'Channel type' }).waitFor()
  })

  test('a page waits for a slow response without layout shifts', async () => {
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

async function live({ path, call }: (typeof pages)[number], { name, answer, sentence }: (typeof days)[number]) {
  await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected })
  const { page } = visitor
  await page.route(call, answer)
  await page.goto(path)
  const notice = page.getByText(sentence).first()
  await notice.waitFor().catch((cause: unknown) => {
    throw new Error(`${path} says nothing when ${name}`, { cause })
  })
  await page.unroute(call)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await notice.waitFor({ state: 'detached' })
}

async function signInByHand(page: Page) {
  await page.getByRole('textbox', { name: /user name|username/i }).fill('root')
  await page.getByLabel('Password', { exact: true }).fill('root-password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
}
