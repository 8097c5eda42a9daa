import { useSite } from '../../../lib/api/status'
import { Notice } from './notice'
import { useReadNotice } from './use-read-notice'

/** The operator's announcement under the top bar, until the reader dismisses this text. */
export function NoticeStrip({ onOpen }: { readonly onOpen: () => void }) {
  const { notice_id: id } = useSite()
  const { readId, setRead } = useReadNotice()
  if (id === '' || id === readId) return null
  return <Notice key={id} onOpen={onOpen} onDismiss={() => setRead(id)} />
}
