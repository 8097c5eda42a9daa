import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import { beginTelegram } from './telegram-flow'

/**
 * Telegram's own button. It redirects the browser to a page of ours: a callback function would have to be compiled from text, which the
 * content security policy forbids. https://core.telegram.org/widgets/login
 */
export function TelegramButton({ returnTo }: { readonly returnTo: string | undefined }) {
  const { t, language } = useTranslation('external-sign-in')
  const { telegram_url: url, telegram_bot_name: bot } = useSite()
  const container = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const box = container.current
    if (!box) return undefined
    const script = document.createElement('script')
    script.async = true
    script.src = `${url}/js/telegram-widget.js?22`
    script.dataset['telegramLogin'] = bot
    script.dataset['size'] = 'large'
    script.dataset['lang'] = language
    script.dataset['authUrl'] = new URL(`/oauth/telegram?flow=${beginTelegram(returnTo)}`, location.origin).href
    script.addEventListener('error', () => setFailed(true))
    box.append(script)
    return () => box.replaceChildren()
  }, [url, bot, language, returnTo])
  return (
    <div>
      <div ref={container} style={{ textAlign: 'center', minHeight: 40 }} />
      {hasFailed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('telegram.failed')}
        </Text>
      )}
    </div>
  )
}
