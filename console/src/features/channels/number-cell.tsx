import { CellInput } from '../../components/fields/cell-input'
import { useTranslation } from '../../lib/text/i18n'

interface NumberCellProps {
  readonly label: string
  /** Undefined: the values differ. */
  readonly value: number | undefined
  readonly least: number
  /** Resolves when `value` is saved. Rejects when it is refused, after showing why. */
  readonly onSave: (value: number) => Promise<void>
}

/** An integer edited in place; a cleared field keeps the value. */
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
