import { Anchor, JsonInput } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import type { Parameters } from '../session/settings'
import type { StructureFault } from '../session/structured'
import { ParameterField } from './parameter-field'

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
