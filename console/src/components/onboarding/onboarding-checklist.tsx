import * as z from 'zod'

import { useViewer } from '../../lib/session'
import { stored, useStored } from '../../lib/storage'
import { AdminChecklist } from './admin-checklist'
import { Checklist } from './checklist'
import { useOwnSteps } from './use-own-steps'

const storedDismissal = stored('onboarding-dismissed', z.boolean(), false)

/** What is left to do until the first call, each step ticked by what is there. Gone when all is done, or on request. */
export function OnboardingChecklist() {
  const { isAdmin } = useViewer()
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  if (isDismissed) return null
  const dismiss = () => setDismissed(true)
  return isAdmin ? <AdminChecklist onDismiss={dismiss} /> : <OwnChecklist onDismiss={dismiss} />
}

function OwnChecklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const steps = useOwnSteps()
  return steps ? <Checklist steps={steps} onDismiss={onDismiss} /> : null
}
