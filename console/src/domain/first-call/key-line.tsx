import { ActionIcon, Group, Text } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'

import { CopyButton } from '../../components/copy-button'
import { mask } from '../../components/fields/secret-field'
import { useTranslation } from '../../lib/text/i18n'
import classes from './first-call.module.css'

interface KeyLineProps {
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

/** The key; the snippets below reveal it along with it. */
export function KeyLine({ apiKey, isShown, onShow }: KeyLineProps) {
  const { t } = useTranslation('first-call')
  const Eye = isShown ? IconEyeOff : IconEye
  return (
    <Group gap={4} wrap="nowrap" className={classes.keyLine}>
      <Text ff="monospace" size="sm" style={{ flex: 1, overflowWrap: 'anywhere' }}>
        {isShown ? apiKey : mask(apiKey)}
      </Text>
      <ActionIcon
        aria-label={t(isShown ? 'common:secret.hide' : 'common:secret.show')}
        onClick={() => onShow(!isShown)}
      >
        <Eye size={16} />
      </ActionIcon>
      <CopyButton text={apiKey} label={t('copyKey')} size={30} />
    </Group>
  )
}
