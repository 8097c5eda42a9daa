import { Switch } from '@mantine/core'

import classes from '../settings.module.css'
import type { ControlProps } from './control-props'

export function SwitchControl({ field, value, onChange, isDisabled }: ControlProps) {
  const { label, description, error } = field
  return (
    <Switch
      label={label}
      description={description}
      error={error}
      labelPosition="left"
      classNames={{
        root: classes.switch,
        body: classes.switchBody,
        labelWrapper: classes.switchWords,
        label: classes.label,
        description: classes.help,
      }}
      checked={value === 'true'}
      onChange={(event) => onChange(String(event.currentTarget.checked))}
      disabled={isDisabled}
    />
  )
}
