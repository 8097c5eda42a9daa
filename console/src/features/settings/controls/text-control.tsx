import { Text, Textarea, TextInput } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import classes from '../settings.module.css'
import type { ControlProps } from './control-props'

export function TextControl({ field, value, onChange, isDisabled }: ControlProps) {
  return (
    <TextInput
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      disabled={isDisabled}
      autoComplete="off"
    />
  )
}

/** Words on several lines. */
export function ParagraphControl({ field, value, onChange, isDisabled }: ControlProps) {
  return (
    <Textarea
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxRows={8}
      disabled={isDisabled}
    />
  )
}

/** One entry per line. */
export function LinesControl({ field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  const count = value.split('\n').filter((line) => line.trim() !== '').length
  return (
    <Textarea
      {...field}
      classNames={{ ...field.classNames, input: classes.code }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={4}
      maxRows={16}
      disabled={isDisabled}
      spellCheck={false}
      inputContainer={(input) => (
        <div>
          {input}
          <Text size="xs" c="dimmed" mt={4} className="figures">
            {t('lines', { count })}
          </Text>
        </div>
      )}
    />
  )
}
