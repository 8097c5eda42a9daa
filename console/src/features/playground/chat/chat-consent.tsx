import { Button } from '@mantine/core'
import { IconExternalLink, IconKey } from '@tabler/icons-react'

import { StateMessage } from '../../../components/page/state-message'
import { useTranslation } from '../../../lib/text/i18n'
import type { ChatLinkState } from './use-chat-link'

type Asking = Extract<ChatLinkState, { readonly kind: 'asking' }>

/** Shows who would receive which key, and waits for a click. */
export function ChatConsent({ asking: { target, name, tokenName, agree } }: { readonly asking: Asking }) {
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
