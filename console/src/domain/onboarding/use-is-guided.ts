import * as z from 'zod'

import { stored, useStored } from '../../lib/browser/storage'

export const storedDismissal = stored('onboarding-dismissed', z.boolean(), false)

/** Returns whether the checklist has the next step, whose button is then the only solid one of the page. */
export function useIsGuided(): boolean {
  const [isDismissed] = useStored(storedDismissal)
  return !isDismissed
}
