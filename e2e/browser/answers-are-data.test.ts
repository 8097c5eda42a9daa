import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site
let key: string

/** An upstream response that tries to run a script on the console's origin. */
const hostile = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: '<script>document.title=`ran`</script>' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
})

/** Serves a page of another site that submits a form to a model endpoint as soon as it is opened. */
function aPageThatSubmits(action: string) {
  const body = `<form method=post enctype=text/plain action="${action}">
    <input name='{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"q":"' value='"}'></form>
    <script>document.forms[0].submit()</script>`
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(body, { headers: { 'content-type': 'text/html' } }),
  })
}

describeInBrowser('a model answer that a browser navigates to', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.addChannel({ name: 'reseller', base_url: site.simulator.url, models: 'gpt-4o' })
    key = await site.console.addToken({ name: 'stolen' })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())
  beforeEach(() => {
    site.simulator.reset()
    site.simulator.when(() => true, { fault: { kind: 'body', contentType: 'text/html', text: hostile } })
  })

  async function visit(prepare: (page: Page) => Promise<unknown> = () => Promise.resolve()) {
    await using visitor = await aVisitor(site.url, { session: await site.signIn('root'), expected: [/.*/] })
    using attacker = aPageThatSubmits(`${site.url}/v1/chat/completions?key=${key}`)
    await prepare(visitor.page)
    const landed = visitor.page.waitForResponse('**/v1/chat/completions*')
    await visitor.page.goto(String(attacker.url))
    const status = (await landed).status()
    await visitor.page.waitForLoadState('load')
    return { status, title: await visitor.page.title(), upstreamCalls: site.simulator.requests.length }
  }

  test('a form post from another site is refused where the browser declares a navigation', async () => {
    expect(await visit()).toMatchObject({ status: 403, title: '', upstreamCalls: 0 })
  })

  test('a form post from another site runs no script where the browser declares nothing', async () => {
    const asOldBrowsersDo = (page: Page) =>
      page.route('**/v1/**', async (route) => {
        const headers = Object.entries(await route.request().allHeaders()).filter(
          ([name]) => !name.startsWith('sec-fetch'),
        )
        await route.fulfill({ response: await route.fetch({ headers: Object.fromEntries(headers) }) })
      })
    expect(await visit(asOldBrowsersDo)).toMatchObject({ status: 200, title: '', upstreamCalls: 1 })
  })
})
