import { Anchor, JsonInput, Slider, Switch } from '@mantine/core'
import '@mantine/core/styles/Slider.layer.css'
import type { ReactNode } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import type { Parameters, RangedParameter } from '../session/settings'
import classes from './settings.module.css'
import { formatDecimal } from '../../../lib/text/format'
import type { StructureFault } from '../session/structured'

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

interface RangeFieldProps {
  readonly name: RangedParameter
  readonly min: number
  readonly max: number
  readonly step: number
  readonly isOn: boolean
  readonly value: number
  readonly onChange: (next: { isOn: boolean; value: number }) => void
}

/** A number within its range. */
export function RangeField({ name, min, max, step, isOn, value, onChange }: RangeFieldProps) {
  const { t } = useTranslation('playground')
  return (
    <ParameterField
      name={name}
      isOn={isOn}
      value={formatDecimal(value, 2)}
      onSwitch={(next) => onChange({ isOn: next, value })}
    >
      <Slider
        size="sm"
        min={min}
        max={max}
        step={step}
        label={null}
        thumbLabel={t(`parameter.${name}`)}
        value={value}
        // Avoids 0.30000000000000004 from steps of a tenth.
        onChange={(next) => onChange({ isOn, value: Number(next.toFixed(2)) })}
      />
    </ParameterField>
  )
}

type JsonName = 'schema' | 'tools'

interface JsonParameterProps {
  readonly name: JsonName
  readonly isOn: boolean
  readonly value: string
  readonly read: (text: string) => { readonly value: unknown } | { readonly fault: StructureFault }
  readonly example: object
  readonly onChange: (change: Partial<Parameters>) => void
}

/** A parameter typed as JSON, validated while typing and formatted on blur. */
export function JsonParameter({ name, isOn, value, read, example, onChange }: JsonParameterProps) {
  const { t } = useTranslation('playground')
  const set = (change: { isOn?: boolean; value?: string }) => onChange({ [name]: { isOn, value, ...change } })
  const one = value.trim() === '' ? undefined : read(value)
  const fault = one && 'fault' in one ? one.fault : undefined
  return (
    <ParameterField name={name} isOn={isOn} onSwitch={(next) => set({ isOn: next })}>
      <JsonInput
        aria-label={t(`parameter.${name}`)}
        size="xs"
        autosize
        minRows={4}
        maxRows={16}
        formatOnBlur
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--text-xs)' } }}
        value={value}
        onChange={(next) => set({ value: next })}
        error={fault && (fault.kind === 'syntax' ? fault.message : t(`structure.${name}`))}
        description={
          value.trim() === '' && (
            <Anchor
              component="button"
              type="button"
              fz="inherit"
              onClick={() => set({ value: JSON.stringify(example, null, 2) })}
            >
              {t('structure.example')}
            </Anchor>
          )
        }
      />
    </ParameterField>
  )
}
