import { Anchor, JsonInput, type JsonInputProps } from '@mantine/core'

import { useTranslation } from '../../lib/text/i18n'

interface JsonFieldProps extends Omit<JsonInputProps, 'onChange' | 'value' | 'error'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string
  /** A valid value to start from. */
  readonly example?: object
}

/** JSON text, validated while typing and formatted on blur. */
export function JsonField({ value, onChange, error, example, ...input }: JsonFieldProps) {
  const { t } = useTranslation()
  const fault = jsonFault(value)
  const shown = error ?? (fault === undefined ? undefined : t('json.invalid', { fault }))
  return (
    <JsonInput
      autosize
      minRows={3}
      maxRows={14}
      formatOnBlur
      {...input}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--text-xs)' } }}
      value={value}
      onChange={onChange}
      error={shown}
      // Without it a field that was left has a red border and no sentence.
      validationError={shown}
      description={
        <>
          {input.description}
          {example && value.trim() === '' && (
            <Anchor
              component="button"
              type="button"
              fz="inherit"
              ml={6}
              onClick={() => onChange(JSON.stringify(example, null, 2))}
            >
              {t('json.example')}
            </Anchor>
          )}
        </>
      }
    />
  )
}

/** Returns why a text is not a JSON object; undefined when it is one, or empty. */
function jsonFault(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : '{ … }'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
