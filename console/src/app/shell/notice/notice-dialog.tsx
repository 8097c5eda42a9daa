import { Modal } from '@mantine/core'
import { siteTextRoutes } from '@tollgate/contract'

import { ErrorState } from '../../../components/page/state-message'
import { FocusBack } from '../../../components/focus-back'
import { PageLoading } from '../../../components/page/page-loading'
import { SiteText } from '../../../components/texts/site-text'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { useReadNotice } from './notice'

/** The whole announcement. Closing it marks it as read. */
export function NoticeDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  const { notice_id: id } = useSite()
  const { setRead } = useReadNotice()
  const { data: text, error, refetch } = useRead(siteTextRoutes.notice)
  const close = () => {
    if (text !== undefined) setRead(id)
    onClose()
  }
  return (
    <Modal opened onClose={close} size="lg" title={t('notice.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <FocusBack />
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!error && (text === undefined ? <PageLoading /> : <SiteText text={text} title={t('notice.title')} />)}
    </Modal>
  )
}
