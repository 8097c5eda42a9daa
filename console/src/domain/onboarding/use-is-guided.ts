import * as z from 'zod'

import { StoredValue, useStored } from '../../lib/browser/stored-value'

export const storedDismissal = new StoredValue('onboarding-dismissed', z.boolean(), false)

/** Returns whether the checklist has the next step, whose button is then the only solid one of the page. */
export function useIsGuided(): boolean {
  const [isDismissed] = useStored(storedDismissal)
  return !isDismissed
}
