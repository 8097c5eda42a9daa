import { Checklist } from './checklist'
import { useOwnSteps } from './use-own-steps'

/** The steps of a user who connects no channels. */
export function OwnChecklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const steps = useOwnSteps()
  return steps ? <Checklist steps={steps} onDismiss={onDismiss} /> : null
}
