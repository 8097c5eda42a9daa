import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode, type SubmitEvent } from 'react'

import { useTranslation } from '../lib/i18n'
import { FocusBack } from './focus-back'

export interface Question {
  readonly title: string
  /** What will be lost, and how many. */
  readonly question: ReactNode
  /** On the button that does it. */
  readonly confirmText: string
  /** A name that must be typed first, for what is lost for good. */
  readonly typed?: string
  /** Asks why, and says who will read it. */
  readonly reasonHint?: string
}

interface ConfirmDialogProps extends Question {
  readonly onConfirm: (reason: string) => void
  /** After either answer. */
  readonly onClose: () => void
  /** Only when the answer is no. */
  readonly onCancel?: () => void
  /** Takes nothing away. */
  readonly isHarmless?: boolean
}

const longestReason = 255

/** Asks once; the safe answer has the focus, or the field to fill in. Draw it while something is being asked. */
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
    // A dialog within a form's own React tree must not submit that form too.
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
            maxLength={longestReason}
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
