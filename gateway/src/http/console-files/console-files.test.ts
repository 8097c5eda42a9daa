import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { defaultOptions, type OptionValues } from '@tollgate/contract'
import type { Server } from 'bun'

import { findConsoleBuild, listName } from './console-build'
import { createConsoleFiles } from './console-files'
import { scriptOrigins } from './page-headers'

const theme = "document.documentElement.dataset['theme'] = 'dark'"
const page = `<!doctype html><html><head><link rel="icon" href="/logo.svg" /><link rel="apple-touch-icon" href="/icons/180.png" /><title>Tollgate</title><script>${theme}</script><script type="module" src="/assets/app-1a2b.js"></script></head><body></body></html>`
/** Options of the served site, unless a test sets its own. */
let options: OptionValues = defaultOptions

let folder: string
let server: Server<undefined>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'))
  mkdirSync(join(folder, 'assets'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('index.html', page)
  write('index.html.br', 'the page in Brotli')
  write('index.html.gz', 'the page in gzip')
  write('assets/app-1a2b.js', 'plain script')
  write('assets/app-1a2b.js.br', 'script in Brotli')
  write('logo.svg', '<svg/>')
  write('secret.txt', 'not in the list')
  write(
    listName,
    JSON.stringify([
      { name: 'index.html', bytes: page.length, hash: 'aaa', encoded: { br: 18, gzip: 16 } },
      { name: 'assets/app-1a2b.js', bytes: 12, hash: 'bbb', encoded: { br: 16 } },
      { name: 'logo.svg', bytes: 6, hash: 'ccc', encoded: {} },
    ]),
  )
  const files = createConsoleFiles({ find: () => findConsoleBuild(folder), options: () => options })
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => files.respond(request) ?? new Response('the relay', { status: 404 }),
  })
})
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true })
})

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Requests over a socket, with the raw body. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(new URL(path, server.url), {
    method,
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
    decompress: false,
  })
}

/** Reads with these options of the site. */
const read = async (path: string, own: Partial<typeof defaultOptions>, headers: Record<string, string> = {}) => {
  options = { ...defaultOptions, ...own }
  try {
    const response = await get(path, headers)
    return { response, policy: response.headers.get('content-security-policy') ?? '', text: await response.text() }
  } finally {
    options = defaultOptions
  }
}

describe('the page', () => {
  test.each(['/', '/login', '/app/tokens?page=2', '/admin/settings', '/chat/1', '/index.html'])(
    '%s always shows the console',
    async (path) => {
      const response = await get(path)
      expect([response.status, await response.text()]).toEqual([200, page])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
    },
  )

  test.each(['/no/such/page', '/apifox'])('%s shows the console to a browser only', async (path) => {
    expect(await (await get(path, asBrowser)).text()).toBe(page)
    expect(await (await get(path)).text()).toBe('the relay')
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('the page is not served for %s', async (method) => {
    expect(await (await get('/login', asBrowser, method)).text()).toBe('the relay')
  })

  test('the page that waits for a payment is shown to payers whom the payment service sends back by a form', async () => {
    const response = await get('/app/wallet/topup-success', asBrowser, 'POST')
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/app/wallet/topup-success'])
    expect(await response.text()).toContain('<title>')
  })

  test('the page is not sent again to a client that has it, however it was encoded', async () => {
    const tag = (await get('/', { 'accept-encoding': 'br' })).headers.get('etag') ?? ''
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const response = await get('/app/tokens', { 'if-none-match': known })
      expect([known, response.status, await response.text()]).toEqual([known, 304, ''])
      expect(response.headers.get('etag')).toBe(tag)
    }
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('the page runs our scripts and its inline one, and cannot be framed', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy') ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(theme).digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  })

  test('the page runs the scripts of enabled services and of no others, as soon as they are enabled', async () => {
    const urls = { turnstile: 'https://challenges.cloudflare.com/path', telegram: 'https://telegram.org' }
    let switches = { TurnstileCheckEnabled: false, TelegramOAuthEnabled: false }
    const scriptOriginsOfNow = () => scriptOrigins(switches, urls)
    const files = createConsoleFiles({ find: () => findConsoleBuild(folder), scriptOrigins: scriptOriginsOfNow })
    const readAddedOrigins = (path: string, headers: Record<string, string> = asBrowser) => {
      const response = files.respond(new Request(`http://gate.test${path}`, { headers }))
      const policy = response?.headers.get('content-security-policy') ?? ''
      return /script-src 'self' 'sha256-[^']+' ?([^;]*);/.exec(policy)?.[1]
    }
    expect(readAddedOrigins('/login')).toBe('')
    switches = { TurnstileCheckEnabled: true, TelegramOAuthEnabled: false }
    expect(readAddedOrigins('/login')).toBe('https://challenges.cloudflare.com')
    switches = { TurnstileCheckEnabled: false, TelegramOAuthEnabled: true }
    expect(readAddedOrigins('/no/such/page')).toBe('https://telegram.org')
    switches = { TurnstileCheckEnabled: true, TelegramOAuthEnabled: true }
    expect(readAddedOrigins('/', { 'if-none-match': 'W/"aaa"' })).toBe(
      'https://challenges.cloudflare.com https://telegram.org',
    )
    switches = { TurnstileCheckEnabled: false, TelegramOAuthEnabled: false }
    expect(readAddedOrigins('/')).toBe('')
  })
})

test.each([
  ['', "form-action 'self' https:"],
  ['https://pay.test/epay', "form-action 'self' https:"],
  ['http://pay.test:8080/epay', "form-action 'self' https: http://pay.test:8080"],
])('the page may send forms to the payment address %p', (PayAddress, expected) => {
  const files = createConsoleFiles({
    find: () => findConsoleBuild(folder),
    options: () => ({ ...defaultOptions, PayAddress }),
  })
  const response = files.respond(new Request('http://gate.test/app/wallet', { headers: asBrowser }))
  expect(response?.headers.get('content-security-policy')?.split('; ')).toContain(expected)
})

describe('the operator’s own code', () => {
  const code = {
    custom_head_html:
      '<meta name="verify" content="42"><script>\r\n  window.own = 1\r\n</script>\n<script src="https://stats.test/a.js"></script>',
    global_css: 'body { color: red }',
    global_js: 'window.late = 1',
  }
  test('the operator’s code is in the page, and the policy lets exactly this run', async () => {
    const { policy, text } = await read('/login', code)
    const hash = new Bun.CryptoHasher('sha256').update('\n  window.own = 1\n').digest('base64')
    expect(text).toContain('<meta name="verify" content="42"><script>\n  window.own = 1\n</script>')
    expect(text).toMatch(
      /<link rel="stylesheet" href="\/custom\/global\.css\?v=\w+"><script defer src="\/custom\/global\.js\?v=\w+">/,
    )
    expect(policy).toMatch(
      new RegExp(`script-src 'self' 'sha256-[^']+' 'sha256-${RegExp.escape(hash)}' https://stats.test;`),
    )
    expect(policy).toContain("connect-src 'self' https://stats.test;")
    expect(policy).toContain("style-src 'self' 'unsafe-inline';")
    expect(policy).not.toContain('unsafe-eval')
  })

  test('the operator’s code is left out in safe mode, and so is what the policy allowed for it', async () => {
    const plain = (await get('/login')).headers.get('content-security-policy') ?? ''
    for (const path of ['/login?safe=1', '/app/tokens?page=2&safe=1']) {
      const { policy, text } = await read(path, code)
      expect([path, text, policy]).toEqual([path, page, plain])
    }
    expect((await read('/login?safe=12', code)).text).not.toBe(page)
  })

  test('code that an earlier release stored unchecked is left out when it would swallow the page', async () => {
    expect((await read('/', { custom_head_html: '<script>open' })).text).toBe(page)
  })

  test('the operator’s code is served from addresses that change with it', async () => {
    const { text } = await read('/', code)
    const address = /\/custom\/global\.css\?v=\w+/.exec(text)?.[0] ?? ''
    const style = await read(address, code)
    expect([style.text, style.response.headers.get('content-type')]).toEqual([
      code.global_css,
      'text/css; charset=utf-8',
    ])
    expect(style.response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const changed = await read(address, { ...code, global_css: 'body {}' })
    expect([changed.text, changed.response.headers.get('cache-control')]).toEqual(['body {}', 'no-cache'])
    const script = await read('/custom/global.js', code)
    expect([script.text, script.response.headers.get('content-type')]).toEqual([
      code.global_js,
      'text/javascript; charset=utf-8',
    ])
    expect((await read('/custom/other.js', code)).response.status).toBe(404)
  })

  test('the operator’s code is compressed as the client prefers, and decompresses to the same', async () => {
    const { text } = await read('/', code)
    const fetchEncoded = async (accepted: string) => {
      options = { ...defaultOptions, ...code }
      const response = await get('/', { 'accept-encoding': accepted })
      options = defaultOptions
      return { encoding: response.headers.get('content-encoding'), bytes: await response.bytes() }
    }
    const brotli = await fetchEncoded('gzip, deflate, br')
    expect([brotli.encoding, brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', text])
    const gzip = await fetchEncoded('gzip, deflate')
    expect([gzip.encoding, gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', text])
  })

  test('the operator’s code changes the tag of the page, which is not sent again', async () => {
    const first = await read('/', code)
    const tag = first.response.headers.get('etag') ?? ''
    expect(tag).not.toBe((await get('/')).headers.get('etag'))
    expect((await read('/', code, { 'if-none-match': tag })).response.status).toBe(304)
    expect((await read('/', { ...code, global_css: '' }, { 'if-none-match': tag })).response.status).toBe(200)
  })

  test('the name of the site is the title of the page before any script runs', async () => {
    expect((await read('/', { SystemName: '<b>Shop & Co' })).text).toContain('<title>&#60;b&#62;Shop &#38; Co</title>')
  })
})

describe('the logo of the site', () => {
  const icons = async (Logo: string) => {
    const { text } = await read('/', { Logo })
    return [...text.matchAll(/<link rel="([\w-]+)" href="([^"]*)"/g)].map(([, rel, href]) => `${rel} ${href}`)
  }
  const built = ['icon /logo.svg', 'apple-touch-icon /icons/180.png']

  test.each([
    ['', built],
    ['data:image/png;base64,AAAA', built],
    ['/kite.svg', ['icon /kite.svg', built[1] ?? '']],
    [
      'https://site.test/a"b.png',
      ['icon https://site.test/a&#34;b.png', 'apple-touch-icon https://site.test/a&#34;b.png'],
    ],
  ])('%p is the icon of the page and of home screens where they can show it', async (logo, expected) => {
    expect(await icons(logo)).toEqual(expected)
  })
})

describe('the manifest', () => {
  test('the manifest has the logo of the site, unless it is a data URL', async () => {
    const iconsOf = async (Logo: string) => {
      const files = createConsoleFiles({ options: () => ({ ...defaultOptions, Logo }) })
      const manifest = await files.respond(new Request('http://gate.test/manifest.webmanifest'))?.json()
      return manifest.icons.map(({ src }: { src: string }) => src)
    }
    expect(await iconsOf('https://site.test/logo.png')).toContain('https://site.test/logo.png')
    expect(await iconsOf('data:image/png;base64,AAAA')).toHaveLength(3)
  })

  test('the manifest makes the console an app with the name of the site', async () => {
    const { response, text } = await read('/manifest.webmanifest', { SystemName: 'Example & Co.' })
    expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const manifest = JSON.parse(text)
    expect(manifest).toMatchObject({ name: 'Example & Co.', start_url: '/', display: 'standalone' })
    expect(manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ])
  })

  test('the manifest is not sent again to a browser that has it', async () => {
    const tag = (await get('/manifest.webmanifest')).headers.get('etag') ?? ''
    expect((await get('/manifest.webmanifest', { 'if-none-match': tag })).status).toBe(304)
  })
})

describe('a file', () => {
  test('a file with a hash in its name is cached for ever', async () => {
    const response = await get('/assets/app-1a2b.js')
    expect(await response.text()).toBe('plain script')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test.each([
    ['gzip, deflate, br', 'br', 'the page in Brotli'],
    ['gzip', 'gzip', 'the page in gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip', 'the page in gzip'],
    ['identity', null, page],
  ])('a file accepted as %s is sent as %p', async (accepted, encoding, body) => {
    const response = await get('/', { 'accept-encoding': accepted })
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([encoding, body])
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
    expect(response.headers.get('content-length')).toBe(String(body.length))
  })

  test('a file without a smaller form is sent as it is', async () => {
    const response = await get('/logo.svg', { 'accept-encoding': 'br' })
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, '<svg/>'])
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  })

  test('a file requested by HEAD has the same headers and no body', async () => {
    const headers = { 'accept-encoding': 'br' }
    const [whole, head] = await Promise.all([
      get('/assets/app-1a2b.js', headers),
      get('/assets/app-1a2b.js', headers, 'HEAD'),
    ])
    const comparableHeaders = (response: Response) => ({ ...Object.fromEntries(response.headers), date: '' })
    expect(comparableHeaders(head)).toEqual(comparableHeaders(whole))
    expect(await head.text()).toBe('')
  })

  test('a file of another release is not answered with the page', async () => {
    const response = await get('/assets/gone-9f.js', asBrowser)
    expect([response.status, await response.text()]).toEqual([404, 'Not found\n'])
  })

  test.each(['/files.json', '/secret.txt', '/index.html.br', '/..%2fsecret.txt', '/assets/../../package.json'])(
    'a file named %s is not served',
    async (path) => {
      expect(await (await get(path)).text()).not.toMatch(/hash|not in the list|Brotli|workspaces/)
    },
  )
})

describe('a build that is replaced', () => {
  test('a new build is served from the next page on', async () => {
    const replaced = mkdtempSync(join(tmpdir(), 'tollgate-console-'))
    const build = (name: string, at: number) => {
      const files = ['index.html', name].map((name) => ({ name, bytes: 4, hash: name, encoded: {} }))
      for (const file of files) writeFileSync(join(replaced, file.name), name)
      writeFileSync(join(replaced, listName), JSON.stringify(files))
      utimesSync(join(replaced, listName), at, at)
    }
    const files = createConsoleFiles({ find: () => findConsoleBuild(replaced) })
    const text = (path: string) => files.respond(new Request(`http://console.test${path}`))?.text()
    build('old.js', 1000)
    expect([await text('/'), await text('/old.js')]).toEqual(['old.js', 'old.js'])
    build('new.js', 2000)
    expect([await text('/'), await text('/new.js'), await text('/old.js')]).toEqual(['new.js', 'new.js', undefined])
    rmSync(replaced, { recursive: true })
  })
})

describe('without a build', () => {
  const missing = createConsoleFiles({ find: () => null })
  const respond = (path: string) => missing.respond(new Request(`http://console.test${path}`))

  test('the page explains how to build the console when there is no build', async () => {
    const response = respond('/')
    expect(response?.status).toBe(503)
    expect(await response?.text()).toContain('run build:console')
  })

  test('other addresses are unchanged when there is no build', () => {
    expect(respond('/assets/app.js')?.status).toBe(404)
    expect(respond('/robots.txt')).toBeUndefined()
  })

  test('a build that is made later is found', async () => {
    let build: ReturnType<typeof findConsoleBuild> = null
    const files = createConsoleFiles({ find: () => build })
    const request = new Request('http://console.test/')
    expect(files.respond(request)?.status).toBe(503)
    build = findConsoleBuild(folder)
    expect(await files.respond(request)?.text()).toBe(page)
  })
})
