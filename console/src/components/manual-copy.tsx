import { Modal, Text, Textarea } from '@mantine/core'

import { useTranslation } from '../lib/text/i18n'
import { FocusBack } from './focus-back'

interface ManualCopyProps {
  readonly text: string
  readonly onClose: () => void
}

/** Shows the text selected, where the browser refuses to copy. */
export function ManualCopy({ text, onClose }: ManualCopyProps) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={onClose} title={t('copy.manualTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      <FocusBack />
      <Text size="sm" c="dimmed" mb="sm">
        {t('copy.manualHint')}
      </Text>
      <Textarea
        value={text}
        readOnly
        autosize
        maxRows={10}
        aria-label={t('copy.manualTitle')}
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
    </Modal>
  )
}
