import { CellInput } from '../../components/cell-input'
import { useTranslation } from '../../lib/i18n'

interface NumberCellProps {
  readonly label: string
  /** Undefined: they differ. */
  readonly value: number | undefined
  readonly least: number
  /** Resolves when `value` is the new one. Rejects when it is refused, which has been said by then. */
  readonly onSave: (value: number) => Promise<void>
}

/** A whole number that is changed where it stands; one that is emptied stays as it was. */
export function NumberCell({ label, value, least, onSave }: NumberCellProps) {
  const { t } = useTranslation('channels')
  return (
    <CellInput
      label={label}
      shown={value === undefined ? '' : String(value)}
      inputMode={least < 0 ? 'text' : 'numeric'}
      read={(typed) => {
        const number = Number(typed)
        if (typed === '' || number === value) return undefined
        return Number.isSafeInteger(number) && number >= least
          ? { value: number }
          : { fault: t('notANumber', { least }) }
      }}
      onSave={onSave}
    />
  )
}
