import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { FocusBack } from './focus-back'

export interface Question {
  readonly title: string
  /** What will be lost, and how many. */
  readonly question: ReactNode
  /** On the button that does it. */
  readonly confirmText: string
}

interface ConfirmDialogProps extends Question {
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** Takes nothing away. */
  readonly isHarmless?: boolean
}

/** Asks once; the safe answer has the focus. Draw it while something is being asked. */
export function ConfirmDialog({ title, question, confirmText, onConfirm, onClose, isHarmless }: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={onClose} title={title} size="sm" closeButtonProps={{ 'aria-label': t('close') }}>
      <FocusBack />
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {question}
      </Text>
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" size="sm" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
        <Button
          size="sm"
          color={isHarmless ? undefined : 'red'}
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {confirmText}
        </Button>
      </Group>
    </Modal>
  )
}
