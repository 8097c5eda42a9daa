import { afterEach } from 'bun:test'
import { plugin } from 'bun'
import { Window } from 'happy-dom'

import { provideAct } from './act'
import { quickComputedStyle } from './computed-style'

/** Browser globals for component tests. The runtime keeps its own `fetch` family. */
const runtimeGlobals = new Set([
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'Blob',
  'File',
  'URL',
  'URLSearchParams',
])

const window = new Window({ url: 'http://console.test/', width: 1440, height: 900 })

for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !/^[A-Z]?\w*(Event|Target)$/.test(name)) continue
  if (runtimeGlobals.has(name)) continue
  const descriptor = Object.getOwnPropertyDescriptor(window, name)
  if (descriptor) Object.defineProperty(globalThis, name, { ...descriptor, configurable: true })
}
Object.assign(window, { getComputedStyle: quickComputedStyle })
Object.assign(globalThis, { window, getComputedStyle: quickComputedStyle })
// The runtime's own navigator has no clipboard.
Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true })
Object.assign(globalThis, {
  matchMedia: (query: string) => window.matchMedia(query),
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
})
Element.prototype.scrollIntoView = () => {}
// Auto-sizing fields measure again when a font arrives.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// The router's production build takes any runtime other than a browser for a server.
plugin({
  name: 'router in a browser',
  setup(build) {
    build.module('@tanstack/router-core/isServer', () => ({
      loader: 'object',
      exports: { isServer: false, loadServerRoute: undefined },
    }))
  },
})
provideAct()
const { cleanup, configure, getConfig } = await import('@testing-library/react')

const { getElementError } = getConfig()

configure({
  // Long enough for a busy machine; only a failing test waits.
  asyncUtilTimeout: 20_000,
  // What waits fails many times, and prints the document once, when its time is over.
  getElementError: (message, container) =>
    isWaiting() ? new Error(message ?? '') : getElementError(message, container),
})

function isWaiting(): boolean {
  const config: object = getConfig()
  return '_disableExpensiveErrorDiagnostics' in config && config._disableExpensiveErrorDiagnostics === true
}

afterEach(() => {
  cleanup()
  localStorage.clear()
})
