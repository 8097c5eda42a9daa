import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { notifyWarning } from '../../lib/notify'
import classes from './channels.module.css'

interface NumberCellProps {
  readonly label: string
  /** Undefined: they differ. */
  readonly value: number | undefined
  readonly least: number
  /** Resolves when `value` is the new one. Rejects when it is refused, which has been said by then. */
  readonly onSave: (value: number) => Promise<void>
}

/**
 * A whole number that is changed where it stands: saved on Enter or on leaving, taken back on Escape or a refusal.
 * What was typed stands there while it is being saved.
 */
export function NumberCell({ label, value, least, onSave }: NumberCellProps) {
  const { t } = useTranslation('channels')
  const [typed, setTyped] = useState<string | undefined>()
  const isSaving = useRef(false)
  const takeBack = () => setTyped(undefined)
  async function save() {
    if (typed === undefined || isSaving.current) return
    const number = Number(typed)
    const isFit = Number.isSafeInteger(number) && number >= least
    if (typed.trim() === '' || !isFit || number === value) {
      if (typed.trim() !== '' && !isFit) notifyWarning(t('notANumber', { least }))
      takeBack()
      return
    }
    isSaving.current = true
    await onSave(number).then(takeBack, takeBack)
    isSaving.current = false
  }
  return (
    <input
      className={classes.number}
      type="text"
      inputMode={least < 0 ? 'text' : 'numeric'}
      autoComplete="off"
      aria-label={label}
      placeholder="–"
      value={typed ?? value ?? ''}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={({ key }) => {
        if (key === 'Enter') void save()
        if (key === 'Escape') takeBack()
      }}
    />
  )
}
