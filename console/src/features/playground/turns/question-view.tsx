import { Button, Group, Textarea } from '@mantine/core'
import { memo, useState } from 'react'
import { IconPencil, IconTrash } from '@tabler/icons-react'

import { CopyButton } from '../../../components/copy-button'
import { useTranslation } from '../../../lib/text/i18n'
import { ImageStrip } from '../composer/images'
import { useChat } from '../hooks/chat-context'
import type { Question } from '../session/session'
import { SmallAction, VersionSwitch } from './turn-actions'
import classes from './turns.module.css'
import { isSendKey } from '../composer/composer'

interface QuestionViewProps {
  readonly turnId: string
  /** Null when deleted. */
  readonly question: Question | null
  readonly version: number
  readonly versions: number
}

/** A question of the reader, which can be edited. */
export const QuestionView = memo(function QuestionView({ turnId, question, version, versions }: QuestionViewProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const [isEditing, setEditing] = useState(false)
  if (isEditing && question)
    return (
      <QuestionEditor
        question={question}
        onCancel={() => setEditing(false)}
        onSend={(changed) => {
          setEditing(false)
          chat.sendEditedQuestion(turnId, changed)
        }}
      />
    )
  return (
    <div className={classes.question}>
      {question && (
        <div className={classes.bubble}>
          <ImageStrip images={question.images} />
          {question.text}
        </div>
      )}
      <div className={classes.actions}>
        {versions > 1 && <VersionSwitch turnId={turnId} version={version} versions={versions} />}
        {question && (
          <>
            <CopyButton text={question.text} label={t('question.copy')} size={24} />
            <SmallAction label={t('question.edit')} icon={IconPencil} onClick={() => setEditing(true)} />
            <SmallAction
              label={t('question.delete')}
              icon={IconTrash}
              onClick={() => chat.dispatch({ kind: 'question-deleted', turnId })}
            />
          </>
        )}
      </div>
    </div>
  )
})

interface QuestionEditorProps {
  readonly question: Question
  readonly onCancel: () => void
  readonly onSend: (question: Question) => void
}

/** Edits a question, which starts a new branch. */
function QuestionEditor({ question, onCancel, onSend }: QuestionEditorProps) {
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
