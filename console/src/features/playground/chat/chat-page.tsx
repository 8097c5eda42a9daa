import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { IconExternalLink, IconReload } from '@tabler/icons-react'
import { getRouteApi, Navigate } from '@tanstack/react-router'

import { useViewer } from '../../../lib/api/session'
import { ChatState } from './chat-state'
import { type ReadyChat, useChatLink } from './use-chat-link'
import { PageHeader } from '../../../components/page/page-header'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './chat.module.css'
import type { ChatTarget } from './chat-link'

const route = getRouteApi('/chat/{-$id}')

/** A chat page of the operator's list, with one of the reader's keys. */
export function ChatPage() {
  const { id } = route.useParams()
  const { user } = useViewer()
  const { token } = route.useSearch()
  if (!user) return <Navigate to="/login" search={{ returnTo: `/chat/${id ?? ''}` }} />
  return <EmbeddedChat index={id === undefined ? undefined : Number(id)} tokenId={token} />
}

interface EmbeddedChatProps {
  readonly index: number | undefined
  readonly tokenId: number | undefined
}

function EmbeddedChat(props: EmbeddedChatProps) {
  const state = useChatLink(props)
  return state.kind === 'ready' ? <ChatFrame chat={state} /> : <ChatState state={state} />
}

/**
 * Pages of other sites may run scripts and use storage; those of our own origin would reach the whole console, so they get an opaque one.
 */
function sandboxFor({ isOwn }: ChatTarget): string {
  const usual = 'allow-scripts allow-forms allow-popups allow-downloads'
  return isOwn ? usual : `${usual} allow-same-origin`
}

/** A chat page of another site. Browsers do not report whether it loaded, so the alternatives are always shown. */
function ChatFrame({ chat: { target, name } }: { readonly chat: ReadyChat }) {
  const { t } = useTranslation('chat')
  const [attempt, setAttempt] = useState(0)
  return (
    <>
      <PageHeader title={name} description={t('frame.hint', { receiver: target.receiver })}>
        <Tip label={t('frame.reload')}>
          <ActionIcon variant="default" aria-label={t('frame.reload')} onClick={() => setAttempt(attempt + 1)}>
            <IconReload size={17} />
          </ActionIcon>
        </Tip>
        <Button
          variant="default"
          component="a"
          href={target.link}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={14} />}
        >
          {t('frame.newTab')}
        </Button>
      </PageHeader>
      <iframe
        key={`${target.link} ${attempt}`}
        className={classes.chat}
        src={target.link}
        title={name}
        allow="clipboard-write; microphone"
        sandbox={sandboxFor(target)}
        referrerPolicy="no-referrer"
      />
    </>
  )
}
