import { Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'

interface ImportFrameProps {
  readonly title: string
  readonly hint: string
  /** A text was entered, which a click beside the dialog must not lose. */
  readonly hasText: boolean
  readonly isRunning: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The dialog of an import from a file or pasted lines. It stays open while the import runs. */
export function ImportFrame({ title, hint, hasText, isRunning, onClose, children }: ImportFrameProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={() => !isRunning && onClose()}
      title={title}
      size={860}
      fullScreen={useIsPhone()}
      closeOnClickOutside={!hasText}
      closeOnEscape={!hasText}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        {children}
      </Stack>
    </Modal>
  )
}
