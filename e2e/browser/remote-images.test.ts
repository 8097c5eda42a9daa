import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { becomes } from './becomes'
import { describeInBrowser } from './describe-in-browser'
import { aSite, siteTimeoutMs, type Site } from './site'
import { aVisitor } from './visitor'

let site: Site

const elsewhere = 'https://pictures.example'
const text = `Look: ![a cat](${elsewhere}/cat.png?talk=secret) and ![](/api/user/logout)`
const frames = [{ choices: [{ delta: { content: text } }] }, '[DONE]']
const body = frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('')

/** Requests an image as an injected element would. Resolves when the browser has a response. */
const loadImage = (page: Page, address: string) =>
  page.evaluate(
    (src) =>
      new Promise<string>((resolve) => {
        const image = new Image()
        image.addEventListener('load', () => resolve('loaded'))
        image.addEventListener('error', () => resolve('refused'))
        image.src = src
      }),
    address,
  )

describeInBrowser('remote images', () => {
  beforeAll(async () => {
    site = await aSite()
    await site.console.addChannel({ name: 'upstream', base_url: site.simulator.url, models: 'gpt-4o-mini' })
  }, siteTimeoutMs)
  afterAll(() => site[Symbol.asyncDispose]())

  test('remote images are links in a response, cannot load in the playground, and can on other pages', async () => {
    await using visitor = await aVisitor(site.url, {
      session: await site.signIn('user'),
      expected: [/Content Security Policy/i, /pictures\.example/],
    })
    const { page, context } = visitor
    const requests: string[] = []
    await context.route(`${elsewhere}/**`, (route) => {
      requests.push(route.request().url())
      const bytes = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
      return route.fulfill({ contentType: 'image/gif', body: bytes })
    })
    await context.route('**/pg/chat/completions', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await page.goto('/app/tokens')
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Show me a cat')
    await page.keyboard.press('Enter')
    const link = page.getByRole('link', { name: 'Picture: a cat (open pictures.example)' })
    await link.waitFor()
    await becomes(() => page.getByRole('log').locator('img').count(), 0)
    expect(await loadImage(page, `${elsewhere}/tricked`)).toBe('refused')
    expect(requests).toEqual([])

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.waitForLoadState('load')
    await page.getByRole('link', { name: 'About', exact: true }).click()
    await page.waitForURL('**/about')
    expect(await loadImage(page, `${elsewhere}/operators`)).toBe('loaded')
    expect(requests).toEqual([`${elsewhere}/operators`])
  })

  test('remote images cannot load when the playground is the first page either', async () => {
    await using visitor = await aVisitor(site.url, {
      session: await site.signIn('user'),
      expected: [/Content Security Policy/i, /pictures\.example/],
    })
    const { page } = visitor
    await page.goto('/playground')
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
    expect(await loadImage(page, `${elsewhere}/tricked`)).toBe('refused')
  })
})
