const key = 'reloaded-for-update'
const quietMs = 60_000

/**
 * A newer version was deployed and the files of this one are gone: the page is loaded anew, which keeps its address.
 * Not twice within a minute, so that a file which is really missing does not make a page turn in circles.
 */
export function reloadOnUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < quietMs) return
    event.preventDefault()
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  })
}
