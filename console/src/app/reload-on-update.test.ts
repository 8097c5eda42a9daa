import { afterEach, beforeEach, expect, test } from 'bun:test'

import { reloadOnUpdate } from './reload-on-update'

const realFetch = globalThis.fetch
const message = 'Failed to fetch dynamically imported module: http://console.test/assets/page.js'

let reloads: number
let requests: string[]
let stop: () => void

beforeEach(() => {
  sessionStorage.clear()
  reloads = 0
  requests = []
  stop = reloadOnUpdate(() => (reloads += 1))
})
afterEach(() => {
  stop()
  globalThis.fetch = realFetch
  setOnline(true)
})

test('a missing file of an older release reloads the page at most once a minute where the server responds', async () => {
  serveResponse(() => new Response())
  await fileMissing()
  expect(reloads).toBe(1)
  await fileMissing()
  expect(reloads).toBe(1)
})

test.each([
  ['fails', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is away behind its proxy', () => new Response(null, { status: 502 })],
])('the page is not reloaded while the server %s', async (_what, respond) => {
  serveResponse(respond)
  await fileMissing()
  expect(requests).toEqual(['HEAD /'])
  expect(reloads).toBe(0)
})

test('the page is not reloaded offline, and no request is made', async () => {
  serveResponse(() => new Response())
  setOnline(false)
  await fileMissing()
  expect([reloads, requests.length]).toEqual([0, 0])
})

test('the router does not reload by itself', async () => {
  setOnline(false)
  await fileMissing()
  expect(sessionStorage.getItem(`tanstack_router_reload:${message}`)).not.toBeNull()
})

function serveResponse(respond: () => Response | Promise<Response>): void {
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const { method, url } = new Request(input, init)
    requests.push(`${method} ${new URL(url).pathname}`)
    return respond()
  }
  globalThis.fetch = Object.assign(fetch, { preconnect: () => {} })
}

function setOnline(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { value: isOnline, configurable: true })
}

/** Fires Vite's event and waits for its effects. */
async function fileMissing(): Promise<void> {
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error(message) }))
  await new Promise((resolve) => setTimeout(resolve))
}
