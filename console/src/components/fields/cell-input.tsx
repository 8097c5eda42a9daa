import { useRef, useState } from 'react'

import { notifyWarning } from '../../lib/browser/notify'
import classes from './cell-input.module.css'

interface CellInputProps<Value> {
  readonly label: string
  /** The value as displayed and typed; empty where there is none. */
  readonly shown: string
  readonly placeholder?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  /** Width in digits; a longer value has its own. */
  readonly digits?: number
  /** Returns the typed value, or a message why it is invalid; undefined reverts it. */
  readonly read: (typed: string) => { readonly value: Value } | { readonly fault: string } | undefined
  /** Resolves when the value is saved. Rejects when it is refused, after showing why. */
  readonly onSave: (value: Value) => Promise<void>
}

/**
 * A table value edited in place: saved on Enter or blur, reverted on Escape. A refused value stays, marked, and is sent again on Enter;
 * blur alone does not resend it.
 */
export function CellInput<Value>(props: CellInputProps<Value>) {
  const { label, shown, placeholder = '–', inputMode = 'numeric', digits, read, onSave } = props
  const [typed, setTyped] = useState<string | undefined>()
  const [refused, setRefused] = useState<string | undefined>()
  const isSaving = useRef(false)
  const takeBack = () => {
    setTyped(undefined)
    setRefused(undefined)
  }
  async function save(text: string) {
    if (isSaving.current) return
    const result = text.trim() === shown ? undefined : read(text.trim())
    if (!result) {
      takeBack()
      return
    }
    if ('fault' in result) {
      notifyWarning(result.fault)
      setRefused(text)
      return
    }
    isSaving.current = true
    await onSave(result.value).then(takeBack, () => setRefused(text))
    isSaving.current = false
  }
  return (
    <input
      className={classes.input}
      style={digits === undefined ? undefined : { width: `calc(${Math.max(digits, shown.length)}ch + 16px)` }}
      type="text"
      inputMode={inputMode}
      autoComplete="off"
      aria-label={label}
      aria-invalid={(typed !== undefined && typed === refused) || undefined}
      placeholder={placeholder}
      value={typed ?? shown}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onBlur={() => typed !== undefined && typed !== refused && void save(typed)}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && typed !== undefined && !nativeEvent.isComposing) void save(typed)
        if (key === 'Escape') takeBack()
      }}
    />
  )
}
