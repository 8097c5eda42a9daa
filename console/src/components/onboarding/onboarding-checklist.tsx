import { lazy, Suspense } from 'react'

import { useViewer } from '../../lib/session'
import { useStored } from '../../lib/storage'
import { Checklist } from './checklist'
import { storedDismissal } from './use-is-guided'
import { useOwnSteps } from './use-own-steps'

const AdminChecklist = lazy(async () => ({ default: (await import('./admin-checklist')).AdminChecklist }))

/** Steps to the first call, ticked by the data. Ends with a word when all are done; hidden on request. */
export function OnboardingChecklist() {
  const mayConnect = useViewer().may('keys.write')
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  if (isDismissed) return null
  const dismiss = () => setDismissed(true)
  // Both wait for their texts, which must not suspend the page: offline it would never come back.
  return (
    <Suspense>{mayConnect ? <AdminChecklist onDismiss={dismiss} /> : <OwnChecklist onDismiss={dismiss} />}</Suspense>
  )
}

function OwnChecklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const steps = useOwnSteps()
  return steps ? <Checklist steps={steps} onDismiss={onDismiss} /> : null
}
