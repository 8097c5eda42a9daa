import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'

import { useViewer } from '../../lib/api/session'
import { useStored } from '../../lib/browser/stored-value'
import { PageLoading } from '../../components/page/page-loading'
import { hasRows, useFirstCall } from './use-first-call'
import { storedDismissal } from './use-is-guided'
import { WaitingSteps } from './waiting-steps'

// Not loaded for readers who are done with it.
const AdminChecklist = lazy(async () => ({ default: (await import('./admin-checklist')).AdminChecklist }))
const OwnChecklist = lazy(async () => ({ default: (await import('./own-checklist')).OwnChecklist }))

/**
 * Steps to the first call, ticked by the data. Ends with a word when all are done; hidden on request, and for good where calls were made
 * before the reader came. What is below is drawn once it is known whether there are any, since they would push it down.
 */
export function OnboardingChecklist({ children }: { readonly children?: ReactNode }) {
  const mayConnect = useViewer().may('keys.write')
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  const { data: calls, error } = useFirstCall({ enabled: !isDismissed })
  const [isNeeded, setNeeded] = useState(false)
  const isOpen = !isDismissed
  if (isOpen && calls && !hasRows(calls) && !isNeeded) setNeeded(true)
  const isDone = isOpen && calls !== undefined && !isNeeded && hasRows(calls)
  useEffect(() => {
    if (isDone) setDismissed(true)
  }, [isDone, setDismissed])
  if (isOpen && !error && (!calls || isDone)) return children === undefined ? null : <PageLoading />
  const Shown = mayConnect ? AdminChecklist : OwnChecklist
  return (
    <>
      {isOpen && isNeeded && (
        // It waits for its texts, which must not suspend the page: offline it would never come back.
        <Suspense fallback={<WaitingSteps isAdmin={mayConnect} />}>
          <Shown onDismiss={() => setDismissed(true)} />
        </Suspense>
      )}
      {children}
    </>
  )
}
