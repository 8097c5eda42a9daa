import { lazy, Suspense } from 'react'

import { useViewer } from '../../lib/session'
import { useStored } from '../../lib/storage'
import { storedDismissal } from './use-is-guided'

// Not loaded for readers who are done with it.
const AdminChecklist = lazy(async () => ({ default: (await import('./admin-checklist')).AdminChecklist }))
const OwnChecklist = lazy(async () => ({ default: (await import('./own-checklist')).OwnChecklist }))

/** Steps to the first call, ticked by the data. Ends with a word when all are done; hidden on request. */
export function OnboardingChecklist() {
  const mayConnect = useViewer().may('keys.write')
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  if (isDismissed) return null
  const Shown = mayConnect ? AdminChecklist : OwnChecklist
  // It waits for its texts, which must not suspend the page: offline it would never come back.
  return (
    <Suspense>
      <Shown onDismiss={() => setDismissed(true)} />
    </Suspense>
  )
}
