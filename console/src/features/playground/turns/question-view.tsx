import { IconPencil, IconTrash } from '@tabler/icons-react'
import { memo, useState } from 'react'

import { CopyButton } from '../../../components/copy-button'
import { useTranslation } from '../../../lib/text/i18n'
import { ImageStrip } from '../composer/image-strip'
import { useChat } from '../hooks/chat-context'
import type { Question } from '../session/session'
import { QuestionEditor } from './question-editor'
import { SmallAction } from './small-action'
import classes from './turns.module.css'
import { VersionSwitch } from './version-switch'

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
