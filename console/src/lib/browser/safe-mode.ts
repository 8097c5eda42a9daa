/** `index.html` uses the same key. */
const key = 'safe-mode'

/** Whether this tab shows the site without the operator's own head, style sheet and script. */
export function isSafeMode(): boolean {
  try {
    return sessionStorage.getItem(key) !== null
  } catch {
    return new URLSearchParams(location.search).get('safe') === '1'
  }
}

/** Reloads the page in normal mode. */
export function leaveSafeMode(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage is unavailable.
  }
  const url = new URL(location.href)
  url.searchParams.delete('safe')
  location.replace(url)
}
