import { ActionIcon, Button, Textarea } from '@mantine/core'
import { IconArrowUp, IconPhoto, IconPlayerStopFilled } from '@tabler/icons-react'
import { useRef, type ClipboardEvent } from 'react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useIsArriving, useSession } from '../hooks/chat-context'
import { useComposedText } from '../hooks/use-composed-text'
import type { Question } from '../session/session'
import { structureFault } from '../session/structured'
import classes from './composer.module.css'
import { Examples } from './examples'
import { ImageStrip } from './image-strip'
import { imageTypes } from './read-images'
import { isSendKey } from './send-key'
import { useAttachments } from './use-attachments'
import { useDrop } from './use-drop'

interface ComposerProps {
  readonly sessionId: string
  readonly onAsk: (question: Question) => void
}

/** Writes the next question. */
export function Composer({ sessionId, onAsk }: ComposerProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const isNew = useSession(({ turns }) => turns.length === 0)
  const isArriving = useIsArriving()
  const hasModels = useSession(({ lanes }) => lanes.every(({ model }) => model !== ''))
  const [text, setText] = useComposedText(isNew ? 'new' : sessionId)
  const { images, add, remove, clear } = useAttachments()
  const isOver = useDrop(add)
  const picker = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const hasFault = useSession(({ lanes, settings }) =>
    lanes.some((lane) => structureFault(lane.parameters ?? settings.parameters) !== undefined),
  )
  const canAsk = !isArriving && hasModels && !hasFault && (text.trim() !== '' || images.length > 0)

  function ask() {
    if (!canAsk) return
    // Cleared first, so that the stored draft is removed too.
    setText('')
    clear()
    onAsk({ text, images })
  }
  const begin = (example: string) => {
    setText(example)
    box.current?.focus()
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }

  return (
    <>
      {isNew && <Examples onChoose={begin} />}
      <div className={classes.composer} data-is-over={isOver || undefined}>
        <ImageStrip images={images} onRemove={remove} />
        <Textarea
          ref={box}
          aria-label={t('compose.label')}
          placeholder={t('compose.placeholder')}
          autosize
          minRows={1}
          maxRows={10}
          variant="unstyled"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onPaste={paste}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return
            event.preventDefault()
            ask()
          }}
          classNames={{ input: classes.input }}
          data-autofocus
        />
        <div className={classes.actions}>
          <input
            ref={picker}
            type="file"
            accept={imageTypes.join(',')}
            multiple
            hidden
            aria-label={t('image.add')}
            onChange={({ currentTarget }) => {
              add([...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
          <Tip label={t('image.hint')}>
            <ActionIcon aria-label={t('image.add')} onClick={() => picker.current?.click()}>
              <IconPhoto size={18} />
            </ActionIcon>
          </Tip>
          <span className={classes.hint} data-is-bad={hasFault || undefined}>
            {t(hasFault ? 'compose.fault' : 'compose.hint')}
          </span>
          {isArriving ? (
            <Button variant="default" leftSection={<IconPlayerStopFilled size={12} />} onClick={() => chat.stop()}>
              {t('compose.stop')}
            </Button>
          ) : (
            <Button rightSection={<IconArrowUp size={14} />} onClick={ask} disabled={!canAsk}>
              {t('compose.send')}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}
