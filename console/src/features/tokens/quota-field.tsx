import { NumberInput, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useSite } from '../../lib/status'
import { useFormat } from '../../lib/use-format'
import { QuickPicks } from './quick-picks'
import type { TokenForm } from './use-token-form'

const dollarPicks = [1, 10, 50, 100, 500, 1000] as const

/** What the token may spend, as quota and as money. */
export function QuotaField({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const { quotaInDollars } = useFormat()
  const { quota_per_unit: quotaPerUnit } = useSite()
  const { quota, isUnlimited } = form.values
  return (
    <div>
      <NumberInput
        label={t('field.quota')}
        description={t('quotaHint', { money: quotaInDollars(Number(quota)) })}
        thousandSeparator=","
        allowDecimal={false}
        allowNegative={false}
        step={quotaPerUnit}
        disabled={isUnlimited}
        {...form.getInputProps('quota')}
      />
      <QuickPicks
        label={t('field.quota')}
        isDisabled={isUnlimited}
        picks={dollarPicks.map((dollars) => ({
          text: `$${dollars}`,
          onPick: () => form.setFieldValue('quota', Math.round(dollars * quotaPerUnit)),
        }))}
      />
      <Switch
        mt="xs"
        size="sm"
        label={t('field.unlimited')}
        description={t('unlimitedHint')}
        {...form.getInputProps('isUnlimited', { type: 'checkbox' })}
      />
    </div>
  )
}
