import { lazy, type ReactNode, Suspense, useState } from 'react'

import { isUnusual, usualDollars } from '../../lib/text/unusual'
import { useSite } from '../../lib/api/status'
import { useFormat } from '../../lib/text/use-format'

const SecondLook = lazy(async () => ({ default: (await import('./second-look')).SecondLook }))

/** An amount as the reader typed it, which is far above the usual. */
export interface UnusualAmount {
  /** Label of its field. */
  readonly name: string
  readonly amount: string
}

interface Pending {
  readonly amounts: readonly UnusualAmount[]
  readonly resolve: (isMeant: boolean) => void
}

/** Asks once more before unusual amounts are saved. Render `dialog` beside the form. */
export function useSecondLook(): {
  /** Resolves with whether the amounts are meant; without amounts at once. */
  readonly isMeant: (amounts: readonly UnusualAmount[]) => Promise<boolean>
  readonly dialog: ReactNode
} {
  const [pending, setPending] = useState<Pending | undefined>()
  return {
    isMeant: (amounts) =>
      amounts.length === 0 ? Promise.resolve(true) : new Promise((resolve) => setPending({ amounts, resolve })),
    dialog: pending && (
      <Suspense>
        <SecondLook amounts={pending.amounts} onDecision={pending.resolve} onClose={() => setPending(undefined)} />
      </Suspense>
    ),
  }
}

/** Returns a function that finds whether a typed quota is unusual; `before` is the amount that it replaces or is added to. */
export function useUnusualQuota(): (name: string, quota: number, before?: number) => readonly UnusualAmount[] {
  const { quota_per_unit: quotaPerDollar } = useSite()
  const { money } = useFormat()
  return (name, quota, before = 0) =>
    isUnusual(quota, before, usualDollars * quotaPerDollar) ? [{ name, amount: money(quota) }] : []
}
