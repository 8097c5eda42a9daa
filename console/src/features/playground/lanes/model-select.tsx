import { useMemo } from 'react'

import { choicesOf, withValues } from '../../../components/combobox/choice'
import { SearchSelect } from '../../../components/combobox/search-select'
import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { useKnownChoices } from '../hooks/choices-context'

interface ModelSelectProps {
  readonly model: string
  /** Models that this group has are listed first. */
  readonly group: string
  readonly onChange: (model: string) => void
}

export function ModelSelect({ model, group, onChange }: ModelSelectProps) {
  const { t } = useTranslation('playground')
  const { models, isServed, makerOf } = useKnownChoices()
  const choices = useMemo(() => {
    const all = withValues(choicesOf(models), model === '' ? [] : [model]).map((choice) => ({
      ...choice,
      icon: <VendorMark id={makerOf(choice.value) ?? ''} name={choice.value} />,
    }))
    const served = all.filter(({ value }) => isServed(value, group))
    const others = all.filter(({ value }) => !isServed(value, group))
    if (others.length === 0) return served
    return [
      ...served.map((choice) => ({ ...choice, heading: t('model.inGroup', { group }) })),
      ...others.map((choice) => ({ ...choice, heading: t('model.others') })),
    ]
  }, [models, model, group, isServed, makerOf, t])
  const isElsewhere = model !== '' && !isServed(model, group)
  return (
    <SearchSelect
      aria-label={t('model.label')}
      placeholder={t('model.choose')}
      choices={choices}
      value={model || null}
      onChange={(next) => next !== null && onChange(next)}
      error={isElsewhere && t('model.notInGroup', { group })}
      style={{ flex: 1, minWidth: 0 }}
      size="xs"
    />
  )
}
