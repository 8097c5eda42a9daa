import { Button, Image, Stack, Text } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'

const side = 200

/** The QR code of the public account, or a message where it does not load. */
export function AccountImage({ src }: { readonly src: string }) {
  const { t } = useTranslation('external-sign-in')
  const [attempt, setAttempt] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  if (!hasFailed)
    return (
      <Image
        key={attempt}
        src={src}
        alt={t('wechat.picture')}
        w={side}
        h={side}
        mx="auto"
        fit="contain"
        onError={() => setFailed(true)}
      />
    )
  const retry = () => {
    setAttempt(attempt + 1)
    setFailed(false)
  }
  return (
    <Stack align="center" justify="center" gap="sm" mih={side} role="alert">
      <Text size="sm" ta="center" c="dimmed" style={{ textWrap: 'balance' }}>
        {t('wechat.pictureFailed')}
      </Text>
      <Button variant="default" size="xs" onClick={retry}>
        {t('common:retry')}
      </Button>
    </Stack>
  )
}
