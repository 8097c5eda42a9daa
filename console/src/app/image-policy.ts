import type { AppRouter } from './router'

const strictPath = '/playground'
const markId = 'picture-policy'

/**
 * Keeps the playground from loading images of other sites, whatever a model writes: the address of an image can exfiltrate a conversation.
 * The policy is added when the page is opened and cannot be removed, so leaving reloads the next page.
 */
export function guardImages(router: AppRouter, logo: () => string): void {
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
  meta.content = imagePolicy(logo)
  document.head.append(meta)
}

/** Returns a policy that allows our own images and the operator's logo. */
export function imagePolicy(logo: string): string {
  const origin = /^https?:\/\//i.test(logo) && URL.canParse(logo) ? ` ${new URL(logo).origin}` : ''
  return `img-src 'self' data: blob:${origin}`
}
