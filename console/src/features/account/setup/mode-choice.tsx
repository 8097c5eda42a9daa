import { Radio, Text } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import classes from './mode-choice.module.css'

const modes = ['external', 'self', 'demo'] as const
export type Mode = (typeof modes)[number]

interface ModeChoiceProps {
  readonly value: Mode
  readonly onChange: (mode: Mode) => void
}

/** Selects the purpose of the gateway, which can be changed later. */
export function ModeChoice({ value, onChange }: ModeChoiceProps) {
  const { t } = useTranslation('setup')
  return (
    <Radio.Group
      label={t('mode.label')}
      value={value}
      onChange={(chosen) => onChange(modes.find((mode) => mode === chosen) ?? 'external')}
    >
      <div className={classes.modes}>
        {modes.map((mode) => (
          <label key={mode} className={classes.mode} data-is-chosen={mode === value || undefined}>
            <Radio value={mode} size="xs" mt={2} aria-label={t(`mode.${mode}`)} />
            <span>
              <Text size="sm" fw={500} component="span" display="block">
                {t(`mode.${mode}`)}
              </Text>
              <Text size="xs" c="dimmed" component="span" display="block">
                {t(`mode.${mode}Hint`)}
              </Text>
            </span>
          </label>
        ))}
      </div>
    </Radio.Group>
  )
}
