import { isServed } from '../lib/is-served'

const key = 'reloaded-for-update'
const quietMs = 60_000

/**
 * A newer version was deployed and the files of this one are gone: the page is loaded anew, which keeps its address.
 * Not while the server is out of reach, which would lose the page; and not twice within a minute, so that a file which is really
 * missing does not make a page turn in circles. Returns a function that stops it.
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

/** The router reloads by itself, offline too, unless it finds that it has done so for the same file. */
const keepRouterFromReloading = ({ message }: Error) => sessionStorage.setItem(`tanstack_router_reload:${message}`, '1')
