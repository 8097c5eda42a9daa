import { useTranslation } from '../../../lib/text/i18n'
import type { ControlProps } from './control-props'
import { DurationField } from '../../../components/fields/duration-field'

/** A duration; stored in the option's own unit. */
export function DurationControl({ option, field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  return (
    <DurationField
      {...field}
      value={value}
      onChange={onChange}
      base={option.unit === 'minutes' ? 'minutes' : 'seconds'}
      allowDecimal={option.kind === 'number'}
      unitLabel={t('duration.unit', { name: field.label })}
      unitText={(unit) => t(`unit.${unit}`)}
      disabled={isDisabled}
    />
  )
}
