import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Server } from 'bun'

import { accessibilityFaults } from './accessibility'
import { becomes } from './becomes'
import { coveredFaults } from './covered-faults'
import { describeInBrowser } from './describe-in-browser'
import { targetFaults } from './target-faults'
import { aVisitor, type VisitorOptions } from './visitor'

/** Faults that a journey must notice, each on a page of its own. */
const pages: Record<string, string> = {
  '/fine': '<main><h1 style="letter-spacing: 0">Fine</h1><img alt="a dot" src="/dot.svg"></main>',
  '/throws': "<script src='/throws.js'></script>",
  '/throws.js': 'throw new Error("the script broke")',
  '/complains': "<script src='/complains.js'></script>",
  '/complains.js': 'console.error("a complaint")',
  '/inline': '<script>document.title = "evil"</script>',
  '/missing-file': '<img alt="" src="/nowhere.png">',
  '/foreign-file': '<script src="http://127.0.0.1:1/x.js"></script>',
  '/barriers':
    '<main><h1>Fine</h1><img src="/dot.svg"><button></button><p style="letter-spacing: 0 !important">Tight</p><p style="color: #ccc">Pale</p></main>',
  '/cramped':
    '<main><h1>Fine</h1><div style="position: relative; height: 90px; margin-top: -90px; background: red"></div><button class="mantine-Button-root" style="height: 20px">Low</button></main>',
  '/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '/favicon.ico': '',
  '/health/live': '{}',
}

const types: Record<string, string> = { js: 'text/javascript', svg: 'image/svg+xml', ico: 'image/x-icon' }

function response(path: string): Response {
  const text = pages[path]
  if (text === undefined) return new Response('', { status: 404 })
  const type = types[path.split('.')[1] ?? '']
  const body = type ? text : `<!doctype html><html lang="en"><title>${path}</title><body>${text}`
  return new Response(body, {
    headers: { 'content-type': type ?? 'text/html', 'content-security-policy': "script-src 'self' http:" },
  })
}

let server: Server<undefined>

describeInBrowser('a visit', () => {
  beforeAll(() => {
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => response(new URL(request.url).pathname) })
  })
  afterAll(() => server.stop(true))

  async function visit(path: string, options?: VisitorOptions): Promise<string> {
    const visitor = await aVisitor(server.url.origin, options)
    await visitor.page.goto(path)
    return visitor[Symbol.asyncDispose]().then(
      () => 'no fault',
      (error: Error) => error.message,
    )
  }

  test('a page without faults passes', async () => {
    expect(await visit('/fine')).toBe('no fault')
  })

  test.each([
    ['/throws', 'script: Error: the script broke'],
    ['/complains', 'console: a complaint'],
    ['/inline', 'Content Security Policy'],
    ['/missing-file', '/nowhere.png 404'],
    ['/foreign-file', 'GET http://127.0.0.1:1/x.js net::ERR'],
  ])('a page with %s fails', async (path, fault) => {
    expect(await visit(path)).toContain(fault)
  })

  test('a fault that the journey expects passes', async () => {
    expect(await visit('/missing-file', { expected: [/nowhere\.png 404$/] })).toBe('no fault')
  })

  test('a visitor keeps what an earlier visit stored and what this one changes', async () => {
    await using visitor = await aVisitor(server.url.origin, { language: 'zh', theme: 'dark' })
    const { page } = visitor
    const readStorage = () =>
      page.evaluate(() => [localStorage.getItem('i18nextLng'), localStorage.getItem('theme-mode')])
    await page.goto('/fine')
    expect(await readStorage()).toEqual(['zh', 'dark'])
    await page.evaluate(() => localStorage.setItem('theme-mode', 'light'))
    await page.reload()
    expect(await readStorage()).toEqual(['zh', 'light'])
  })

  test('a visit starts without anything of the previous one, whose page it reuses', async () => {
    const look = { theme: null, language: null } as const
    const earlier = await aVisitor(server.url.origin, look)
    const requests: string[] = []
    earlier.page.on('request', (request) => requests.push(request.url()))
    await earlier.page.addInitScript(() => Object.assign(window, { isEarlier: true }))
    await earlier.page.exposeFunction('earlier', () => {})
    await earlier.page.route('**/fine', (route) => route.fulfill({ body: 'Not fine' }))
    await earlier.context.route('**/dot.svg', (route) => route.abort())
    await earlier.page.goto('/inline')
    await earlier.context.addCookies([{ name: 'earlier', value: 'yes', url: server.url.origin }])
    await earlier.page.evaluate(() => {
      localStorage.setItem('earlier', 'yes')
      sessionStorage.setItem('earlier', 'yes')
      // A page with unsaved changes.
      addEventListener('beforeunload', (event) => event.preventDefault())
    })
    earlier.page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
    await earlier.page.setViewportSize({ width: 500, height: 500 })
    await earlier.leave()
    const before = requests.length

    await using visitor = await aVisitor(server.url.origin, look)
    const { page, context } = visitor
    await page.goto('/fine')
    await becomes(() => page.getByRole('heading', { name: 'Fine' }).count(), 1)
    expect(await context.cookies()).toEqual([])
    const left = await page.evaluate(() => [
      ...['isEarlier', 'earlier'].filter((name) => name in window),
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ])
    expect(left).toEqual(['is-known-visitor'])
    expect([page.viewportSize()?.width, page === earlier.page]).toEqual([1440, true])
    expect(requests).toHaveLength(before)
  })

  test("axe finds barriers even where the page's policy forbids scripts", async () => {
    await using visitor = await aVisitor(server.url.origin)
    await visitor.page.goto('/fine')
    expect(await accessibilityFaults(visitor.page)).toEqual([])
    await visitor.page.goto('/barriers')
    const found = await accessibilityFaults(visitor.page)
    expect(found.map((line) => line.split(':', 1)[0])).toEqual([
      'avoid-inline-spacing',
      'button-name',
      'color-contrast',
      'image-alt',
    ])
  })

  test('a heading under something else and a button that is too low are found', async () => {
    await using visitor = await aVisitor(server.url.origin)
    const { page } = visitor
    await page.goto('/cramped')
    expect(await coveredFaults(page)).toEqual([expect.stringMatching(/^<h1><\/h1> is covered by <div /)])
    expect(await targetFaults(page, 'mouse')).toEqual([expect.stringMatching(/^BUTTON “Low” .* x 20 px$/)])
    await page.goto('/fine')
    expect([...(await coveredFaults(page)), ...(await targetFaults(page, 'mouse'))]).toEqual([])
  })
})
