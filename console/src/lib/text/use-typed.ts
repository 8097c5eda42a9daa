import { useState } from 'react'

/** Converts a value to and from the form in which a field shows it. */
interface Form<Value, Typed> {
  readonly show: (value: Value) => Typed
  readonly read: (typed: Typed) => Value
}

/** Keeps what is typed ("1.50") as long as it stands for the value; a value set from outside replaces it. */
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
