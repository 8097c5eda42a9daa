import { Textarea, NumberInput, SimpleGrid, Switch } from '@mantine/core'
import { modelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import type { TokenForm } from './use-token-form'
import { useRead } from '../../lib/api/query'
import { choicesOf, withValues } from '../../components/combobox/choice'
import { SearchMultiSelect, type SearchMultiSelectProps } from '../../components/combobox/search-multi-select'

/** Allowed models and addresses. */
export function LimitFields({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  return (
    <>
      <ModelsSelect
        label={t('field.models')}
        description={t('modelsHint')}
        placeholder={t('allModels')}
        {...form.getInputProps('models')}
      />
      <Textarea
        label={t('field.ips')}
        description={t('ipsHint')}
        placeholder={'203.0.113.7\n10.0.0.0/8'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--text-xs)' } }}
        {...form.getInputProps('ips')}
      />
    </>
  )
}

type ModelsSelectProps = Omit<SearchMultiSelectProps, 'choices'>

/** Selects several of the models that the reader may call. */
function ModelsSelect(props: ModelsSelectProps) {
  const { data = [] } = useRead(modelRoutes.ownModels)
  return <SearchMultiSelect {...props} choices={withValues(choicesOf(data), props.value ?? [])} />
}

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
