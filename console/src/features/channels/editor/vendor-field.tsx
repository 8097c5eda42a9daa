import { NumberInput, Switch, TextInput } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { JsonField } from '../json-field'
import { useFormat } from '../../../lib/text/use-format'
import { type ChannelFormState, isTextColumn } from './use-channel-form'
import { objectOf, withSetting } from './channel-form'

type Field = channelRoutes.ChannelType['fields'][number]

interface VendorFieldProps {
  readonly field: Field
  readonly form: ChannelFormState
}

/** A field declared by the vendor. */
export function VendorField({ field, form }: VendorFieldProps) {
  const { language } = useFormat()
  const bound = bindingOf(field.name, form)
  if (!bound) return null
  const { value, write, error, path, isDisabled } = bound
  const common = {
    label: field.label[language],
    description: field.hint?.[language],
    error,
    disabled: isDisabled,
    'data-path': path,
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const input = { ...common, placeholder: field.placeholder ?? field.default, withAsterisk: field.required }
  switch (field.kind) {
    case 'switch':
      return (
        <Switch
          {...common}
          checked={value === true || value === 'true'}
          onChange={(event) => write(event.currentTarget.checked)}
        />
      )
    case 'number':
      return <NumberInput {...input} value={text} onChange={(next) => write(next === '' ? '' : Number(next))} />
    case 'json':
      return (
        <JsonField {...input} error={typeof error === 'string' ? error : undefined} value={text} onChange={write} />
      )
    case 'select':
      return (
        <ChoiceSelect
          {...common}
          withAsterisk={field.required}
          choices={(field.options ?? []).map((option) => ({ value: option.value, label: option.label[language] }))}
          value={text === '' ? (field.default ?? '') : text}
          onChange={write}
        />
      )
    default:
      return <TextInput {...input} value={text} onChange={(event) => write(event.currentTarget.value)} />
  }
}

interface Binding {
  readonly value: unknown
  readonly write: (value: string | number | boolean) => void
  readonly error: React.ReactNode
  readonly path: string
  readonly isDisabled: boolean
}

/** Returns where a vendor's field is stored: in a column of its own, or in the settings JSON. */
function bindingOf(name: string, form: ChannelFormState): Binding | undefined {
  if (isTextColumn(name)) {
    return {
      value: form.values[name],
      write: (value) => form.setFieldValue(name, String(value)),
      error: form.errors[name],
      path: name,
      isDisabled: false,
    }
  }
  const key = /^setting\.(.+)$/.exec(name)?.[1]
  if (key === undefined) return undefined
  const { setting } = form.values
  return {
    value: objectOf(setting)?.[key],
    write: (value) => form.setFieldValue('setting', withSetting(setting, key, value)),
    error: undefined,
    path: name,
    // Invalid JSON must be fixed in its own field; a switch must not replace it.
    isDisabled: objectOf(setting) === undefined,
  }
}
