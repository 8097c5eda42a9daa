import { useState } from 'react'

/** How a value is written in a field that shows it in another unit or form. */
interface Form<Value, Typed> {
  readonly show: (value: Value) => Typed
  readonly read: (typed: Typed) => Value
}

/** Keeps what is typed as it is typed ("1.50"), for as long as it stands for the value; a value set from outside shows anew. */
export function useTyped<Value, Typed>(
  value: Value,
  onChange: (value: Value) => void,
  { show, read }: Form<Value, Typed>,
): readonly [Typed, (typed: Typed) => void] {
  const [last, setLast] = useState<{ readonly typed: Typed; readonly value: Value }>()
  const shown = last?.value === value ? last.typed : show(value)
  return [
    shown,
    (typed) => {
      const next = read(typed)
      setLast({ typed, value: next })
      onChange(next)
    },
  ]
}
