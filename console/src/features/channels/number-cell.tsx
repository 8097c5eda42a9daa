import { useEffect, useState } from 'react'

import classes from './channels.module.css'

interface NumberCellProps {
  readonly label: string
  /** Undefined: they differ. */
  readonly value: number | undefined
  readonly least: number
  /** Rejects when it is refused, which has been said by then. */
  readonly onSave: (value: number) => Promise<void>
}

/** A whole number that is changed where it stands: saved on Enter or on leaving, taken back on Escape or a refusal. */
export function NumberCell({ label, value, least, onSave }: NumberCellProps) {
  const [typed, setTyped] = useState(written(value))
  useEffect(() => setTyped(written(value)), [value])
  async function save() {
    const number = Number(typed)
    if (typed.trim() === '' || !Number.isInteger(number) || number < least || number === value) {
      setTyped(written(value))
      return
    }
    try {
      await onSave(number)
    } catch {
      setTyped(written(value))
    }
  }
  return (
    <input
      className={classes.number}
      type="number"
      inputMode="numeric"
      step={1}
      min={least}
      aria-label={label}
      placeholder="–"
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => void save()}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(written(value))
      }}
    />
  )
}

const written = (value: number | undefined) => (value === undefined ? '' : String(value))
