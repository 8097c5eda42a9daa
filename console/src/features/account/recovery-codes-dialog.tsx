import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

import { CopyButton } from '../../components/copy-button'
import { FocusBack } from '../../components/focus-back'
import { useTranslation } from '../../lib/text/i18n'
import { saveFile } from '../../lib/browser/save-file'
import classes from './account.module.css'

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows recovery codes, which the server cannot show again: only the button closes it. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation('account')
  const text = codes.join('\n')
  return (
    <Modal
      opened
      onClose={onClose}
      size="md"
      title={t('codes.dialogTitle')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <FocusBack />
      <Stack gap="md">
        <Text size="sm">{t('codes.once')}</Text>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group justify="space-between" gap={8}>
          <Group gap={8}>
            <CopyButton text={text} label={t('codes.copy')} size={36} />
            <Button
              variant="default"
              size="sm"
              leftSection={<IconDownload size={16} />}
              onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}
            >
              {t('codes.download')}
            </Button>
          </Group>
          <Button size="sm" onClick={onClose} data-autofocus>
            {t('codes.saved')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
