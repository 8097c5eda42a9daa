import { ActionIcon, Button } from '@mantine/core'
import { useMemo } from 'react'
import { IconSpeakerphone, IconX } from '@tabler/icons-react'
import { siteTextRoutes } from '@tollgate/contract'
import * as z from 'zod'

import classes from './notice.module.css'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { plainText } from '../../../lib/text/plain-text'
import { useSite } from '../../../lib/api/status'
import { StoredValue, useStored } from '../../../lib/browser/stored-value'

interface NoticeProps {
  readonly onOpen: () => void
  readonly onDismiss: () => void
}

/** The first words of the announcement; a click opens all of it as the operator wrote it. */
function Notice({ onOpen, onDismiss }: NoticeProps) {
  const { t } = useTranslation('shell')
  const { data: text, isPending } = useRead(siteTextRoutes.notice)
  const excerpt = useMemo(() => excerptOf(text ?? ''), [text])
  // Its place is kept while its text loads, so that the page does not move.
  if (!text && !isPending) return null
  return (
    <section className={classes.strip} aria-label={t('notice.title')}>
      <IconSpeakerphone size={18} stroke={1.7} className={classes.sign} />
      <span className={classes.words}>{!isPending && (excerpt || t('notice.title'))}</span>
      <Button variant="subtle" color="gray" onClick={onOpen}>
        {t('notice.more')}
      </Button>
      <ActionIcon aria-label={t('notice.dismiss')} onClick={onDismiss}>
        <IconX size={16} />
      </ActionIcon>
    </section>
  )
}

/** Characters, more than fit into a line. */
const maxExcerptLength = 300

/** Returns the plain words of an operator's text; empty where it is a single address, which is shown as a page. */
export const excerptOf = (text: string): string =>
  /^\s*https:\/\/\S+\s*$/.test(text) ? '' : plainText(text).slice(0, maxExcerptLength)

/** The operator's announcement under the top bar, until the reader dismisses this text. */
export function NoticeStrip({ onOpen }: { readonly onOpen: () => void }) {
  const { notice_id: id } = useSite()
  const { readId, setRead } = useReadNotice()
  if (id === '' || id === readId) return null
  return <Notice key={id} onOpen={onOpen} onDismiss={() => setRead(id)} />
}

const storedRead = new StoredValue('notice-read', z.string(), '', { isPlain: true })

/** Remembers which announcement was dismissed in this browser. */
export function useReadNotice() {
  const [readId, setRead] = useStored(storedRead)
  return { readId, setRead }
}
