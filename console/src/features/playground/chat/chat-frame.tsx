import { ActionIcon, Button } from '@mantine/core'
import { IconExternalLink, IconReload } from '@tabler/icons-react'
import { useState } from 'react'

import { PageHeader } from '../../../components/page/page-header'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './chat.module.css'
import type { ChatTarget } from './chat-link'
import type { ReadyChat } from './use-chat-link'

/**
 * Pages of other sites may run scripts and use storage; those of our own origin would reach the whole console, so they get an opaque one.
 */
function sandboxFor({ isOwn }: ChatTarget): string {
  const usual = 'allow-scripts allow-forms allow-popups allow-downloads'
  return isOwn ? usual : `${usual} allow-same-origin`
}

/** A chat page of another site. Browsers do not report whether it loaded, so the alternatives are always shown. */
export function ChatFrame({ chat: { target, name } }: { readonly chat: ReadyChat }) {
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
