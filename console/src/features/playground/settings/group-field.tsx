import { OwnGroupSelect } from '../../../components/combobox/group-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useKnownChoices } from '../hooks/choices-context'

interface GroupFieldProps {
  /** Empty: the reader's own. */
  readonly group: string
  readonly onChange: (group: string) => void
}

/** The group, which decides channels and prices. */
export function GroupField({ group, onChange }: GroupFieldProps) {
  const { t } = useTranslation('playground')
  const { ownGroup } = useKnownChoices()
  return (
    <OwnGroupSelect
      label={t('setting.group')}
      value={group || ownGroup || null}
      onChange={(next) => next !== null && onChange(next)}
    />
  )
}
