import { useState } from 'react'

/** How a stored value is written in a field that shows it in another unit or form. */
interface Form<Typed> {
  readonly show: (value: string) => Typed
  readonly read: (typed: Typed) => string
}

/** Keeps what is typed as it is typed ("1.50"), for as long as it stands for the value; a value set from outside shows anew. */
export function useTyped<Typed>(
  value: string,
  onChange: (value: string) => void,
  { show, read }: Form<Typed>,
): readonly [Typed, (typed: Typed) => void] {
  const [last, setLast] = useState<{ readonly typed: Typed; readonly value: string }>()
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
