import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode, type SubmitEvent } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'

export interface Question {
  readonly title: string
  /** What will be lost, and how much. */
  readonly question: ReactNode
  /** Label of the confirming button. */
  readonly confirmText: string
  /** A name to be typed before something is lost for good. */
  readonly typed?: string
  /** Asks for a reason and says who will read it. */
  readonly reasonHint?: string
}

interface ConfirmDialogProps extends Question {
  readonly onConfirm: (reason: string) => void
  /** Called after either choice. */
  readonly onClose: () => void
  /** Called only on cancel. */
  readonly onCancel?: () => void
  /** Not destructive. */
  readonly isHarmless?: boolean
}

const maxReasonLength = 255

/** Asks for confirmation; the cancel button has the focus, or the field to fill in. Render it only while asking. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, question, confirmText, typed, reasonHint, onConfirm, onClose, onCancel, isHarmless } = props
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const cancel = () => {
    onClose()
    onCancel?.()
  }
  const hasField = typed !== undefined || reasonHint !== undefined
  const isReady = (typed === undefined || text.trim() === typed) && (reasonHint === undefined || reason.trim() !== '')
  const confirm = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React events bubble through portals: without this the surrounding form would be submitted too.
    event.stopPropagation()
    if (!isReady) return
    onClose()
    onConfirm(reason.trim())
  }
  return (
    <Modal opened onClose={cancel} title={title} size="sm" closeButtonProps={{ 'aria-label': t('close') }}>
      <FocusBack />
      <form onSubmit={confirm} noValidate>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {question}
        </Text>
        {typed !== undefined && (
          <TextInput
            mt="md"
            label={t('confirm.type', { name: typed })}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        {reasonHint !== undefined && (
          <TextInput
            mt="md"
            label={t('confirm.reason')}
            description={reasonHint}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={maxReasonLength}
            autoComplete="off"
            withAsterisk
            data-autofocus={typed === undefined || undefined}
          />
        )}
        <Group justify="flex-end" gap={8} mt="lg">
          <Button variant="default" size="sm" onClick={cancel} data-autofocus={!hasField || undefined}>
            {t('cancel')}
          </Button>
          <Button type="submit" size="sm" color={isHarmless ? undefined : 'red'} disabled={!isReady}>
            {confirmText}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
