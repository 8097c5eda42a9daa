import { NumberInput } from '@mantine/core'

import { EntryList } from '../entry-list'
import { useTranslation } from '../../../../lib/text/i18n'
import { newTier, type TierFields } from '../entry-form'
import { ClassFields, type EntryForm } from './class-fields'

interface TiersFieldsProps {
  readonly form: EntryForm
  /** `tiers`, or the path of a mode's tiers. */
  readonly path: string
  readonly tiers: readonly TierFields[]
}

/** Prices for long inputs, applied to the whole call once its input is longer. */
export function TiersFields({ form, path, tiers }: TiersFieldsProps) {
  const { t } = useTranslation('prices')
  return (
    <EntryList
      hint={path === 'tiers' ? t('drawer.tiersHint') : undefined}
      addLabel={t('drawer.addTier')}
      removeLabel={t('drawer.removeTier')}
      count={tiers.length}
      onAdd={() => form.insertListItem(path, newTier())}
      onRemove={(index) => form.removeListItem(path, index)}
      head={(index) => (
        <NumberInput
          size="xs"
          w={200}
          label={t('drawer.above')}
          thousandSeparator=","
          allowNegative={false}
          allowDecimal={false}
          hideControls
          {...form.getInputProps(`${path}.${index}.above`)}
        />
      )}
    >
      {(index) => <ClassFields form={form} path={`${path}.${index}.prices`} isShort />}
    </EntryList>
  )
}
