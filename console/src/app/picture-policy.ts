import type { AppRouter } from './router'

const strictPath = '/playground'
const markId = 'picture-policy'

/**
 * Keeps the playground from loading pictures of other sites, whatever a model writes: the address of a picture can carry a talk
 * away. The policy is added when the page is reached and cannot be taken back, so leaving loads the next page anew.
 */
export function guardPictures(router: AppRouter, logo: () => string): void {
  router.subscribe('onBeforeNavigate', ({ toLocation }) => {
    const isStrict = document.getElementById(markId) !== null
    if (toLocation.pathname === strictPath) return isStrict ? undefined : addPolicy(logo())
    if (isStrict) location.assign(toLocation.href)
    return undefined
  })
}

function addPolicy(logo: string): void {
  const meta = document.createElement('meta')
  meta.id = markId
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = picturePolicy(logo)
  document.head.append(meta)
}

/** Pictures of our own, and the operator's logo wherever it is. */
export function picturePolicy(logo: string): string {
  const origin = /^https?:\/\//i.test(logo) && URL.canParse(logo) ? ` ${new URL(logo).origin}` : ''
  return `img-src 'self' data: blob:${origin}`
}
