import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ImportDialogProps {
  readonly onClose: () => void
}

/** Create many channels from a file or pasted text. */
export function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation('channel-editor')
  return <Modal opened onClose={onClose} title={t('import.title')} />
}
