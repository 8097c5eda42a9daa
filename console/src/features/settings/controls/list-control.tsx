import { TagsField } from '../../../components/fields/tags-field'
import { useTranslation } from '../../../lib/text/i18n'
import type { ControlProps } from './control-props'

/** Entries as tags. Duplicates are kept, so that the validation can report them. */
export function ListControl({ field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  return (
    <TagsField
      {...field}
      value={value === '' ? [] : value.split(',')}
      onChange={(entries) => onChange(entries.join(','))}
      allowDuplicates
      placeholder={t('list.add')}
      disabled={isDisabled}
    />
  )
}
