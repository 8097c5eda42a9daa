import { Text, useComputedColorScheme } from '@mantine/core'
import type { BotCheck as Action } from '@tollgate/contract'
import { useEffect, useRef, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'

interface BotCheckProps {
  /** The action that follows: a token is valid for it alone. */
  readonly action: Action
  /** Called with a token, and with undefined when it has expired. Must be a stable function. */
  readonly onToken: (token: string | undefined) => void
}

/** Cloudflare's widget, which tells people from bots. */
export function BotCheck({ action, onToken }: BotCheckProps) {
  const { t, language } = useTranslation()
  const { turnstile_url: url, turnstile_site_key: sitekey } = useSite()
  const theme = useComputedColorScheme('light')
  const container = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!container.current) return undefined
    const fail = () => setFailed(true)
    const drawn = drawWidget(url, container.current, {
      sitekey,
      action,
      theme,
      language: language === 'zh' ? 'zh-cn' : 'en',
      size: 'flexible',
      callback: onToken,
      'expired-callback': () => onToken(undefined),
      'error-callback': () => {
        fail()
        return true
      },
    })
    drawn.catch(fail)
    return () => void drawn.then((remove) => remove()).catch(() => {})
  }, [url, sitekey, action, theme, language, onToken])
  return (
    <div>
      <div ref={container} />
      {hasFailed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('botCheck.failed')}
        </Text>
      )}
    </div>
  )
}

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
  render(container: HTMLElement, options: WidgetOptions): string
  remove(id: string): void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

/** Renders a widget. Resolves with a function that removes it. */
async function drawWidget(url: string, container: HTMLElement, options: WidgetOptions): Promise<() => void> {
  if (!window.turnstile) await loadScript(`${url}/turnstile/v0/api.js?render=explicit`)
  const { turnstile } = window
  if (!turnstile) throw new Error('the script of Turnstile did not start')
  const id = turnstile.render(container, options)
  return () => turnstile.remove(id)
}

const loads = new Map<string, Promise<void>>()

/** Loads a script of another site once. A failure rejects, and the next call tries again. */
function loadScript(url: string): Promise<void> {
  const known = loads.get(url)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loads.delete(url)
      script.remove()
      reject(new Error(`${url} could not be loaded`))
    })
    document.head.append(script)
  })
  loads.set(url, loading)
  return loading
}
