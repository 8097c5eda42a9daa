import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { tokenRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { FocusBack } from '../../components/focus-back'
import { useTranslation } from '../../lib/text/i18n'
import { useWrite } from '../../lib/api/query'
import { tokenReads } from './token-data'

type Token = tokenRoutes.TokenEntity

/** Seconds for which the old key keeps working. */
const graces = { none: 0, hour: 3600, day: 86_400, week: 7 * 86_400 } as const
type Grace = keyof typeof graces
const names: readonly Grace[] = ['none', 'hour', 'day', 'week']

interface RotateDialogProps {
  readonly token: Token
  /** Called with the token and its new key. */
  readonly onRotated: (token: Token) => void
  readonly onClose: () => void
}

/** Gives a token a new key, and asks how long the old one should keep working. */
export function RotateDialog({ token, onRotated, onClose }: RotateDialogProps) {
  const { t } = useTranslation('tokens')
  const [grace, setGrace] = useState<Grace>('none')
  const { mutate, isPending } = useWrite(tokenRoutes.rotateToken, { changes: tokenReads, onSuccess: onRotated })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('rotate.title', { name: token.name })}
      size="md"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="md">
        <Text size="sm">{t('rotate.hint')}</Text>
        <Radio.Group
          label={t('rotate.grace')}
          value={grace}
          onChange={(value) => setGrace(names.find((name) => name === value) ?? 'none')}
        >
          <Stack gap="xs" mt="xs">
            {names.map((name) => (
              <Radio key={name} value={name} label={t(`rotate.${name}`)} data-autofocus={name === grace || undefined} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            size="sm"
            loading={isPending}
            onClick={() => mutate({ params: { id: token.id }, body: { grace_seconds: graces[grace] } })}
          >
            {t('rotate.do')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
