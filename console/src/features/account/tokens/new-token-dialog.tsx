import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'

import { CopyButton } from '../../../components/copy-button'
import { FocusBack } from '../../../components/focus-back'
import { useTranslation } from '../../../lib/text/i18n'
import classes from '../account.module.css'

interface NewTokenDialogProps {
  readonly token: string
  readonly onClose: () => void
}

const header = 'Authorization: Bearer …'

/** Shows a token, which the server cannot show again: only the button closes it. */
export function NewTokenDialog({ token, onClose }: NewTokenDialogProps) {
  const { t } = useTranslation('account')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('token.dialogTitle')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <FocusBack />
      <Stack gap="md">
        <Text size="sm">{t('token.once')}</Text>
        <Group gap={4} wrap="nowrap">
          <span className={classes.secret}>{token}</span>
          <CopyButton text={token} label={t('token.copy')} />
        </Group>
        <Text size="sm" c="dimmed" component="div">
          {t('token.usage')} <Code>{header}</Code>
        </Text>
        <Group justify="flex-end">
          <Button size="sm" onClick={onClose} data-autofocus>
            {t('token.saved')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
