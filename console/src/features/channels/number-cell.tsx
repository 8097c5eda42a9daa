import { useRef, useState } from 'react'

import { useTranslation } from '../../lib/i18n'
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
 * A whole number that is changed where it stands: saved on Enter or on leaving, taken back on Escape. What was refused
 * stays, marked, and is tried again on Enter; leaving alone does not ask for the same once more.
 */
export function NumberCell({ label, value, least, onSave }: NumberCellProps) {
  const { t } = useTranslation('channels')
  const [typed, setTyped] = useState<string | undefined>()
  const [refused, setRefused] = useState<string | undefined>()
  const isSaving = useRef(false)
  const takeBack = () => {
    setTyped(undefined)
    setRefused(undefined)
  }
  async function save(text: string) {
    if (isSaving.current) return
    const number = Number(text)
    if (text.trim() === '' || number === value) {
      takeBack()
      return
    }
    if (!Number.isSafeInteger(number) || number < least) {
      notifyWarning(t('notANumber', { least }))
      setRefused(text)
      return
    }
    isSaving.current = true
    await onSave(number).then(takeBack, () => setRefused(text))
    isSaving.current = false
  }
  return (
    <input
      className={classes.number}
      type="text"
      inputMode={least < 0 ? 'text' : 'numeric'}
      autoComplete="off"
      aria-label={label}
      aria-invalid={(typed !== undefined && typed === refused) || undefined}
      placeholder="–"
      value={typed ?? value ?? ''}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => typed !== undefined && typed !== refused && void save(typed)}
      onKeyDown={({ key }) => {
        if (key === 'Enter' && typed !== undefined) void save(typed)
        if (key === 'Escape') takeBack()
      }}
    />
  )
}
