import { NumberInput, SimpleGrid, Switch } from '@mantine/core'

import { useTranslation } from '../../lib/text/i18n'
import type { TokenForm } from './use-token-form'

/** Rate limits of the token. */
export function RateFields({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const { isRateLimited } = form.values
  const whole = { allowDecimal: false, allowNegative: false } as const
  return (
    <div>
      <Switch
        size="sm"
        label={t('field.rate')}
        description={t('rateHint')}
        {...form.getInputProps('isRateLimited', { type: 'checkbox' })}
      />
      {isRateLimited && (
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mt="sm">
          <NumberInput label={t('field.ratePeriod')} {...whole} min={1} {...form.getInputProps('ratePeriod')} />
          <NumberInput label={t('field.rateCount')} {...whole} {...form.getInputProps('rateCount')} />
          <NumberInput label={t('field.rateSuccess')} {...whole} {...form.getInputProps('rateSuccess')} />
        </SimpleGrid>
      )}
    </div>
  )
}
