import { isServed } from '../lib/api/is-served'

const key = 'reloaded-for-update'
const quietMs = 60_000

/**
 * Reloads the page, keeping its address, when a newer version was deployed and the files of this one are gone. Never while the server is
 * unreachable, which would lose the page; and at most once a minute, so that a file that is really missing does not cause a reload loop.
 * Returns a function that stops it.
 */
export function reloadOnUpdate(reload = () => location.reload()): () => void {
  const onError = (event: Event) => {
    if ('payload' in event && event.payload instanceof Error) keepRouterFromReloading(event.payload)
    void reloadIfServed(reload)
  }
  window.addEventListener('vite:preloadError', onError)
  return () => window.removeEventListener('vite:preloadError', onError)
}

async function reloadIfServed(reload: () => void): Promise<void> {
  const last = Number(sessionStorage.getItem(key) ?? 0)
  if (Date.now() - last < quietMs || !(await isServed())) return
  sessionStorage.setItem(key, String(Date.now()))
  reload()
}

/** The router reloads by itself, even offline, unless it finds that it has already done so for the same file. */
const keepRouterFromReloading = ({ message }: Error) => sessionStorage.setItem(`tanstack_router_reload:${message}`, '1')
