import dayjs from 'dayjs'
import { Anchor, NumberInput, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { modelRoutes, responseCacheChoices, tokenRoutes } from '@tollgate/contract'

import { ChoiceSelect } from '../../components/fields/choice-select'
import { QuickPicks } from '../../components/fields/quick-picks'
import { useTranslation } from '../../lib/text/i18n'
import { maxCreated, type TokenForm } from './token-form'
import { useRead } from '../../lib/api/query'
import { choicesOf, withValues } from '../../components/combobox/choice'
import { SearchMultiSelect, type SearchMultiSelectProps } from '../../components/combobox/search-multi-select'
import { pickerTime, TimeField } from '../../components/fields/time-field'
import { useFormat } from '../../lib/text/use-format'
import { nowSeconds } from '../../lib/text/use-now'

const counts = [1, 10, 20, 30, 100] as const

interface NameFieldsProps {
  readonly form: TokenForm
  readonly isNew: boolean
}

/** Name of the token, and how many are created at once. */
export function NameFields({ form, isNew }: NameFieldsProps) {
  const { t } = useTranslation('tokens')
  const [isSeveral, setSeveral] = useState(Number(form.values.count) > 1)
  return (
    <>
      <TextInput
        label={t('field.name')}
        withAsterisk
        maxLength={tokenRoutes.maxTokenNameLength * 2}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {isNew && !isSeveral && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setSeveral(true)}>
          {t('several')}
        </Anchor>
      )}
      {isNew && isSeveral && (
        <div>
          <NumberInput
            label={t('field.count')}
            description={Number(form.values.count) > 1 ? t('countHint') : undefined}
            allowDecimal={false}
            allowNegative={false}
            min={1}
            max={maxCreated}
            autoFocus
            {...form.getInputProps('count')}
          />
          <QuickPicks
            label={t('field.count')}
            picks={counts.map((count) => ({
              text: String(count),
              onPick: () => form.setFieldValue('count', count),
            }))}
          />
        </div>
      )}
    </>
  )
}

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

/** Whether calls of the token use the response cache. */
export function ResponseCacheField({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  return (
    <ChoiceSelect
      label={t('field.responseCache')}
      description={t('responseCacheHint')}
      choices={responseCacheChoices.map((value) => ({ value, label: t(`responseCache.${value}`) }))}
      value={form.values.responseCache}
      onChange={(choice) => form.setFieldValue('responseCache', choice)}
    />
  )
}

const picks = [
  ['hour', 3_600],
  ['day', 86_400],
  ['month', 30 * 86_400],
] as const

/** Expiry of the token. */
export function ExpiryField({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const { ago } = useFormat()
  const { expiry } = form.values
  const set = (value: string | null) => form.setFieldValue('expiry', value)
  const inSeconds = (seconds: number) => set(pickerTime(nowSeconds() + seconds))
  return (
    <div>
      <TimeField
        label={t('field.expiry')}
        placeholder={t('expiry.never')}
        description={expiry === null || !dayjs(expiry).isValid() ? undefined : ago(dayjs(expiry).unix())}
        {...form.getInputProps('expiry')}
      />
      <QuickPicks
        label={t('field.expiry')}
        picks={[
          { text: t('expiry.never'), onPick: () => set(null) },
          ...picks.map(([unit, seconds]) => ({ text: t(`expiry.${unit}`), onPick: () => inSeconds(seconds) })),
        ]}
      />
    </div>
  )
}
