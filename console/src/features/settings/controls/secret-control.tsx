import { PasswordInput } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import type { ControlProps } from './control-props'

/** A secret that can be replaced, but never read. */
export function SecretControl({ field, value, onChange, isDisabled, isSet }: ControlProps) {
  const { t } = useTranslation('settings')
  return (
    <PasswordInput
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder={t(isSet ? 'secret.set' : 'secret.notSet')}
      visibilityToggleButtonProps={{ 'aria-label': t('secret.toggle') }}
      autoComplete="new-password"
      disabled={isDisabled}
    />
  )
}
