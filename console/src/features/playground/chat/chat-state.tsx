import { Button } from '@mantine/core'
import { IconKeyOff, IconLinkOff, IconLock, IconExternalLink, IconKey } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { ErrorState, StateMessage } from '../../../components/page/state-message'
import { PageLoading } from '../../../components/page/page-loading'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import type { ChatLinkState, ReadyChat } from './use-chat-link'

/** Time to read the explanation before the redirect. */
const readMs = 1_500

/** Shown while there is no chat page. */
export function ChatState({ state }: { readonly state: Exclude<ChatLinkState, ReadyChat> }) {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  const { isAdmin } = useViewer()
  const isWithoutToken = state.kind === 'no-token'
  useEffect(() => {
    if (!isWithoutToken) return undefined
    const timer = setTimeout(() => void navigate({ to: '/app/tokens' }), readMs)
    return () => clearTimeout(timer)
  }, [isWithoutToken, navigate])
  switch (state.kind) {
    case 'loading':
      return <PageLoading />
    case 'failed':
      return <ErrorState error={state.error} onRetry={state.retry} />
    case 'asking':
      return <ChatConsent asking={state} />
    case 'hidden':
      return (
        <StateMessage
          icon={IconLock}
          isPage
          title={t('hidden.title', { token: state.tokenName })}
          hint={t('hidden.hint')}
          action={
            <Button loading={state.isRevealing} onClick={state.reveal}>
              {t('hidden.reveal')}
            </Button>
          }
        />
      )
    case 'no-token':
      return <StateMessage icon={IconKeyOff} isPage title={t('noToken')} action={<ToTokens />} />
    default:
      return (
        <StateMessage
          icon={IconLinkOff}
          isPage
          isBarred
          title={t(isAdmin ? 'misconfiguredHere' : 'misconfigured')}
          action={<ToTokens />}
        />
      )
  }
}

function ToTokens() {
  const { t } = useTranslation('chat')
  return (
    <Button component={Link} to="/app/tokens">
      {t('tokens')}
    </Button>
  )
}

type Asking = Extract<ChatLinkState, { readonly kind: 'asking' }>

/** Shows who would receive which key, and waits for a click. */
function ChatConsent({ asking: { target, name, tokenName, agree } }: { readonly asking: Asking }) {
  const { t } = useTranslation('chat')
  const words = { name, receiver: target.receiver, token: tokenName }
  if (target.kind === 'app') {
    return (
      <StateMessage
        icon={IconExternalLink}
        isPage
        title={t('app.title', words)}
        hint={t('app.hint', words)}
        action={
          <Button component="a" href={target.link} rel="noreferrer">
            {t('app.open', words)}
          </Button>
        }
      />
    )
  }
  return (
    <StateMessage
      icon={IconKey}
      isPage
      title={t('page.title', words)}
      hint={t('page.hint', words)}
      action={<Button onClick={agree}>{t('page.open', words)}</Button>}
    />
  )
}
