import { Checklist, useOwnSteps } from './checklist'
import { WaitingSteps } from './waiting-steps'

/** The steps of a user who connects no channels. */
export function OwnChecklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const steps = useOwnSteps()
  return steps ? <Checklist steps={steps} onDismiss={onDismiss} /> : <WaitingSteps isAdmin={false} />
}
