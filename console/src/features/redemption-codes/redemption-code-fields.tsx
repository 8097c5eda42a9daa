import { NumberInput, Switch, TextInput } from '@mantine/core'
import { planRoutes, redemptionRoutes } from '@tollgate/contract'

import { SearchSelect } from '../../components/combobox/search-select'
import { QuotaField } from '../../components/fields/quota-field'
import { TimeField } from '../../components/fields/time-field'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useTranslation } from '../../lib/text/i18n'
import type { RedemptionCodeForm } from './redemption-code-form'

interface RedemptionCodeFieldsProps {
  readonly form: RedemptionCodeForm
  readonly isNew?: boolean
  /** The code was redeemed: it stays a gift code. */
  readonly isGiftFixed?: boolean
}

/** Plans that a code can begin; those that are not on sale too, for callers who may see them. */
function usePlanChoices() {
  const maySeeAll = useViewer().may('orders.read')
  const all = useRead(planRoutes.listPlans, {}, { enabled: maySeeAll })
  const onSale = useRead(planRoutes.plansOnSale, {}, { enabled: !maySeeAll })
  return ((maySeeAll ? all : onSale).data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}

/** The fields of codes. */
export function RedemptionCodeFields({ form, isNew = false, isGiftFixed = false }: RedemptionCodeFieldsProps) {
  const { t } = useTranslation('redemption-codes')
  const { isGift, key } = form.values
  const plans = usePlanChoices()
  return (
    <>
      <TextInput
        label={t('field.name')}
        withAsterisk
        data-autofocus
        maxLength={redemptionRoutes.maxRedemptionNameLength}
        {...form.getInputProps('name')}
      />
      {plans.length > 0 && (
        <SearchSelect
          label={t('field.gives')}
          choices={[{ value: '0', label: t('field.quota') }, ...plans]}
          {...form.getInputProps('planId')}
        />
      )}
      {form.values.planId === '0' && (
        <>
          <QuotaField
            label={t('field.quota')}
            value={form.values.quota}
            onChange={(quota) => form.setFieldValue('quota', quota)}
            error={form.errors['quota']}
          />
          <NumberInput
            label={t('field.quotaDays')}
            placeholder={t('field.never')}
            description={t('hint.quotaDays')}
            min={1}
            max={redemptionRoutes.maxQuotaDays}
            allowDecimal={false}
            {...form.getInputProps('quotaDays')}
          />
        </>
      )}
      {isNew && (
        <>
          <NumberInput
            label={t('field.count')}
            description={t('hint.count')}
            min={1}
            max={redemptionRoutes.maxRedemptionCodes}
            allowDecimal={false}
            disabled={key.trim() !== ''}
            {...form.getInputProps('count')}
          />
          <TextInput
            label={t('field.key')}
            description={t('hint.key')}
            maxLength={redemptionRoutes.redemptionKeyLengths.most}
            autoComplete="off"
            {...form.getInputProps('key')}
          />
        </>
      )}
      <Switch
        size="sm"
        label={t('field.isGift')}
        description={t('hint.isGift')}
        disabled={isGiftFixed}
        {...form.getInputProps('isGift', { type: 'checkbox' })}
      />
      {isGift && (
        <NumberInput
          label={t('field.maxUses')}
          placeholder={t('field.unlimited')}
          description={t('hint.maxUses')}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('maxUses')}
        />
      )}
      <TimeField label={t('field.validFrom')} placeholder={t('field.atOnce')} {...form.getInputProps('validFrom')} />
      <TimeField label={t('field.validUntil')} placeholder={t('field.never')} {...form.getInputProps('validUntil')} />
    </>
  )
}
