import { Text, useComputedColorScheme } from '@mantine/core'
import type { BotCheck as Action } from '@tollgate/contract'
import { useEffect, useRef, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import { drawWidget } from './turnstile'

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
  const place = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const fail = () => setFailed(true)
    const drawn = drawWidget(url, place.current, {
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
      <div ref={place} />
      {hasFailed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('botCheck.failed')}
        </Text>
      )}
    </div>
  )
}
