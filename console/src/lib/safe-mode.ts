/** `index.html` has the same name for it. */
const key = 'safe-mode'

/** Whether this tab shows the site without the operator's own head, style sheet and script. */
export function isSafeMode(): boolean {
  try {
    return sessionStorage.getItem(key) !== null
  } catch {
    return new URLSearchParams(location.search).get('safe') === '1'
  }
}

/** Loads the page again as everyone else sees it. */
export function leaveSafeMode(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was remembered.
  }
  const url = new URL(location.href)
  url.searchParams.delete('safe')
  location.replace(url)
}
