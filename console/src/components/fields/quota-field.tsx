import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'

import { formatCompact } from '../../lib/text/format'
import { useSite } from '../../lib/api/status'
import { MoneyInput, type MoneyInputProps } from './money-input'
import { QuickPicks } from './quick-picks'

interface QuotaFieldProps extends Omit<MoneyInputProps, 'label' | 'disabled'> {
  readonly label: string
  /** The switch for an unlimited quota, before the amount. */
  readonly unlimited?: {
    readonly label: string
    readonly hint?: ReactNode
    readonly isOn: boolean
    readonly onChange: (isOn: boolean) => void
  }
  /** Common amounts in dollars. */
  readonly picks?: readonly number[]
}

/** A spending limit: unlimited or an amount. */
export function QuotaField({ unlimited, picks = usualPicks, ...input }: QuotaFieldProps) {
  const { quota_per_unit: quotaPerDollar, display_in_currency: isCurrency } = useSite()
  const isUnlimited = unlimited?.isOn ?? false
  return (
    <div>
      {unlimited && (
        <Switch
          mb={isUnlimited ? 0 : 'sm'}
          size="sm"
          label={unlimited.label}
          description={unlimited.hint}
          checked={isUnlimited}
          onChange={({ currentTarget }) => unlimited.onChange(currentTarget.checked)}
        />
      )}
      {!isUnlimited && (
        <>
          <MoneyInput {...input} />
          <QuickPicks
            label={input.label}
            picks={picks.map((dollars) => ({
              text: isCurrency ? `$${dollars}` : formatCompact(dollars * quotaPerDollar),
              onPick: () => input.onChange(Math.round(dollars * quotaPerDollar)),
            }))}
          />
        </>
      )}
    </div>
  )
}

/** The specification's quick picks. */
const usualPicks = [1, 10, 50, 100, 500, 1000] as const
