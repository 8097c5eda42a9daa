import { loadScript } from '../../lib/browser/load-script'

/** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/widget-configurations/ */
interface WidgetOptions {
  readonly sitekey: string
  /** What the token is for; checked by the server. */
  readonly action: string
  readonly theme: 'light' | 'dark'
  readonly language: string
  readonly size: 'flexible'
  readonly callback: (token: string) => void
  readonly 'expired-callback': () => void
  /** Returning true keeps the widget's script from writing to the console. */
  readonly 'error-callback': () => boolean
}

interface Turnstile {
  render(place: HTMLElement, options: WidgetOptions): string
  remove(id: string): void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

/** Renders a widget. Resolves with a function that removes it. */
export async function drawWidget(url: string, place: HTMLElement, options: WidgetOptions): Promise<() => void> {
  if (!window.turnstile) await loadScript(`${url}/turnstile/v0/api.js?render=explicit`)
  const { turnstile } = window
  if (!turnstile) throw new Error('the script of Turnstile did not start')
  const id = turnstile.render(place, options)
  return () => turnstile.remove(id)
}
