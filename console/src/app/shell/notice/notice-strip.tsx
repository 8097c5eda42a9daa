import { lazy, Suspense } from 'react'

import { useSite } from '../../../lib/status'
import { useReadNotice } from './use-read-notice'

const Notice = lazy(async () => ({ default: (await import('./notice')).Notice }))

/** The operator's announcement under the top bar, until the reader has dismissed this text. Loaded where there is one. */
export function NoticeStrip({ onOpen }: { readonly onOpen: () => void }) {
  const { notice_id: id } = useSite()
  const { readId, setRead } = useReadNotice()
  if (id === '' || id === readId) return null
  return (
    <Suspense>
      <Notice key={id} onOpen={onOpen} onDismiss={() => setRead(id)} />
    </Suspense>
  )
}
