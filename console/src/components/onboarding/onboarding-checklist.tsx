import { lazy, Suspense } from 'react'
import * as z from 'zod'

import { useViewer } from '../../lib/session'
import { stored, useStored } from '../../lib/storage'
import { Checklist } from './checklist'
import { useOwnSteps } from './use-own-steps'

const AdminChecklist = lazy(async () => ({ default: (await import('./admin-checklist')).AdminChecklist }))

const storedDismissal = stored('onboarding-dismissed', z.boolean(), false)

/** What is left to do until the first call, each step ticked by what is there. Gone when all is done, or on request. */
export function OnboardingChecklist() {
  const mayConnect = useViewer().may('keys.write')
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  if (isDismissed) return null
  const dismiss = () => setDismissed(true)
  // Both wait for their texts, which must not take the page away meanwhile: offline it would stay away.
  return (
    <Suspense>{mayConnect ? <AdminChecklist onDismiss={dismiss} /> : <OwnChecklist onDismiss={dismiss} />}</Suspense>
  )
}

function OwnChecklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const steps = useOwnSteps()
  return steps ? <Checklist steps={steps} onDismiss={onDismiss} /> : null
}
