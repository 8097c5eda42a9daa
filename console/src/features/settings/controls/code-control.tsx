import { Textarea } from '@mantine/core'

import classes from '../settings.module.css'
import type { ControlProps } from './control-props'
import { useTyped } from '../../../lib/text/use-typed'

/** HTML, CSS, scripts or JSON. JSON is formatted until it is edited. */
export function CodeControl({ option, field, value, onChange, isDisabled }: ControlProps) {
  const [typed, setTyped] = useTyped(value, onChange, {
    show: option.kind === 'json' ? indent : (text) => text,
    read: (text: string) => text,
  })
  return (
    <Textarea
      {...field}
      classNames={{ ...field.classNames, input: classes.code }}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      autosize
      minRows={4}
      maxRows={24}
      disabled={isDisabled}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
