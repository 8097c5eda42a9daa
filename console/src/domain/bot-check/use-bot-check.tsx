import { Text } from '@mantine/core'
import type { BotCheck as Action } from '@tollgate/contract'
import { lazy, Suspense, useState, type ReactNode } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'

/** Loaded only where the site uses it. */
export const BotCheck = lazy(async () => ({ default: (await import('./bot-check')).BotCheck }))

interface BotCheckState {
  /** Shown above the submit button; null where the site does not use it. */
  readonly widget: ReactNode
  /** Whether the form may be sent; shows what is missing if not. */
  readonly mayGoOn: () => boolean
  /** Sent along with the form. */
  readonly query: { readonly turnstile?: string }
  /** Requests a new token: each is valid once, whatever the response was. */
  readonly renew: () => void
}

/** The bot check of a form, where the site uses it. */
export function useBotCheck(action: Action): BotCheckState {
  const { t } = useTranslation()
  const { turnstile_check: isOn } = useSite()
  const [token, setToken] = useState<string | undefined>()
  const [round, setRound] = useState(0)
  const [isMissed, setMissed] = useState(false)
  return {
    widget: isOn && (
      <Suspense>
        <div data-is-passed={token !== undefined}>
          <BotCheck key={round} action={action} onToken={setToken} />
        </div>
        <div role="alert">
          {isMissed && token === undefined && (
            <Text size="sm" c="var(--mantine-color-error)">
              {t('botCheck.missing')}
            </Text>
          )}
        </div>
      </Suspense>
    ),
    mayGoOn: () => {
      const isPassed = !isOn || token !== undefined
      setMissed(!isPassed)
      return isPassed
    },
    query: token === undefined ? {} : { turnstile: token },
    renew: () => {
      setToken(undefined)
      setMissed(false)
      setRound((before) => before + 1)
    },
  }
}
