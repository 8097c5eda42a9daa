import { lazy, Suspense, useEffect, useState } from 'react'

import { useViewer } from '../../lib/session'
import { useStored } from '../../lib/storage'
import { hasRows, useFirstCall } from './use-first-call'
import { storedDismissal } from './use-is-guided'

// Not loaded for readers who are done with it.
const AdminChecklist = lazy(async () => ({ default: (await import('./admin-checklist')).AdminChecklist }))
const OwnChecklist = lazy(async () => ({ default: (await import('./own-checklist')).OwnChecklist }))

/**
 * Steps to the first call, ticked by the data. Ends with a word when all are done; hidden on request, and for good where calls were made
 * before the reader came.
 */
export function OnboardingChecklist() {
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  return isDismissed ? null : <UntilFirstCall onDismiss={() => setDismissed(true)} />
}

/** Loads the steps only for a reader without calls: all others have done them, on this device or another one. */
function UntilFirstCall({ onDismiss }: { readonly onDismiss: () => void }) {
  const mayConnect = useViewer().may('keys.write')
  const { data: calls } = useFirstCall()
  const [isNeeded, setNeeded] = useState(false)
  if (calls && !hasRows(calls) && !isNeeded) setNeeded(true)
  const isDone = calls !== undefined && !isNeeded && hasRows(calls)
  useEffect(() => {
    if (isDone) onDismiss()
  }, [isDone, onDismiss])
  if (!isNeeded) return null
  const Shown = mayConnect ? AdminChecklist : OwnChecklist
  // It waits for its texts, which must not suspend the page: offline it would never come back.
  return (
    <Suspense>
      <Shown onDismiss={onDismiss} />
    </Suspense>
  )
}
