import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { ImageStrip } from '../composer/image-strip'
import { isSendKey } from '../composer/send-key'
import type { Question } from '../session/session'
import classes from './turns.module.css'

interface QuestionEditorProps {
  readonly question: Question
  readonly onCancel: () => void
  readonly onSend: (question: Question) => void
}

/** Edits a question, which starts a new branch. */
export function QuestionEditor({ question, onCancel, onSend }: QuestionEditorProps) {
  const { t } = useTranslation('playground')
  const [text, setText] = useState(question.text)
  const [images, setImages] = useState(question.images)
  const isEmpty = text.trim() === '' && images.length === 0
  const send = () => {
    if (!isEmpty) onSend({ text, images })
  }
  return (
    <div className={classes.editor}>
      <ImageStrip images={images} onRemove={(index) => setImages(images.filter((_, other) => other !== index))} />
      <Textarea
        aria-label={t('question.edit')}
        autosize
        minRows={2}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (!isSendKey(event)) return
          event.preventDefault()
          send()
        }}
        data-autofocus
        autoFocus
      />
      <Group justify="flex-end" gap={8} mt={8}>
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button onClick={send} disabled={isEmpty}>
          {t('question.resend')}
        </Button>
      </Group>
    </div>
  )
}
