import { ActionIcon, Group, Text } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { CopyButton } from '../copy-button'
import { Tip } from '../tip'

interface SecretFieldProps {
  readonly value: string
  readonly label?: string
}

/** A secret, masked until revealed; it can be copied without revealing it. */
export function SecretField({ value, label }: SecretFieldProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  const name = t(isShown ? 'secret.hide' : 'secret.show')
  return (
    <Group gap={2} wrap="nowrap" style={{ minWidth: 0 }}>
      <Text ff="monospace" fz="xs" style={isShown ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }}>
        {isShown ? value : mask(value)}
      </Text>
      <Tip label={name}>
        <ActionIcon
          size={26}
          aria-label={name}
          onClick={(event) => {
            event.stopPropagation()
            setShown(!isShown)
          }}
        >
          {isShown ? <IconEyeOff size={15} /> : <IconEye size={15} />}
        </ActionIcon>
      </Tip>
      <CopyButton text={value} label={label} />
    </Group>
  )
}

/** Returns `sk-abcd••••wxyz`: enough to tell two apart. */
export const mask = (secret: string): string =>
  secret.length <= 12 ? '••••••••' : `${secret.slice(0, 7)}••••${secret.slice(-4)}`
