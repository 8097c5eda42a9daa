import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import type { Parameters } from '../session/settings'
import classes from './settings.module.css'

interface ParameterFieldProps {
  readonly name: keyof Parameters
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
  /** Shown beside the name. */
  readonly value?: string
  readonly children?: ReactNode
}

/** A parameter with its switch; its control is shown while it is on. */
export function ParameterField({ name, isOn, onSwitch, value, children }: ParameterFieldProps) {
  const { t } = useTranslation('playground')
  return (
    <div>
      <div className={classes.row}>
        <Switch
          size="xs"
          label={t(`parameter.${name}`)}
          description={isOn && t(`parameterHint.${name}`)}
          classNames={{ description: classes.hint }}
          checked={isOn}
          onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
        />
        <span className={`${classes.value} figures`}>{isOn ? value : undefined}</span>
      </div>
      {isOn && children && <div className={classes.field}>{children}</div>}
    </div>
  )
}
