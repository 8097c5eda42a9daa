import { TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { ControlProps } from './control-props'

/** Entries as tags. One that is entered twice stays, for the check to name it. */
export function ListControl({ field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  return (
    <TagsInput
      {...field}
      value={value === '' ? [] : value.split(',')}
      onChange={(entries) => onChange(entries.join(','))}
      splitChars={[',', ' ', '\n']}
      allowDuplicates
      acceptValueOnBlur
      placeholder={t('list.add')}
      disabled={isDisabled}
    />
  )
}
