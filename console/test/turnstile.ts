import { afterEach } from 'bun:test'

type Options = Parameters<NonNullable<typeof window.turnstile>['render']>[1]

/** A rendered widget. */
interface Drawn {
  readonly action: string
  readonly sitekey: string
  readonly solve: (token: string) => void
  isGone: boolean
}

afterEach(() => {
  delete window.turnstile
})

/** Simulates Cloudflare's script, already loaded. Returns the list of rendered widgets. */
export function aTurnstile(): readonly Drawn[] {
  const drawn: Drawn[] = []
  window.turnstile = {
    render: (_place: HTMLElement, { action, sitekey, callback }: Options) => {
      drawn.push({ action, sitekey, solve: callback, isGone: false })
      return String(drawn.length - 1)
    },
    remove: (id) => {
      const widget = drawn[Number(id)]
      if (widget) widget.isGone = true
    },
  }
  return drawn
}
