import { afterEach } from 'bun:test'
import { Window } from 'happy-dom'

/** Browser globals for component tests. The runtime keeps its own `fetch` family. */
const kept = new Set(['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File', 'URL', 'URLSearchParams'])

const window = new Window({ url: 'http://console.test/', width: 1440, height: 900 })

for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !/^[A-Z]?\w*(Event|Target)$/.test(name)) continue
  if (kept.has(name)) continue
  const descriptor = Object.getOwnPropertyDescriptor(window, name)
  if (descriptor) Object.defineProperty(globalThis, name, { ...descriptor, configurable: true })
}
Object.assign(globalThis, { window, IS_REACT_ACT_ENVIRONMENT: true })
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
// React records each render for a browser's profiler where there is one, which takes a tenth of a test's time.
Reflect.deleteProperty(console, 'timeStamp')
Element.prototype.scrollIntoView = () => {}
// Auto-sizing fields measure again when a font arrives.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

const { cleanup, configure } = await import('@testing-library/react')

// Long enough for a busy machine; only a failing test waits.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
})
