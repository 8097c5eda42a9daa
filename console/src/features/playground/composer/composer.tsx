import { ActionIcon, Button, Textarea } from '@mantine/core'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconArrowUp, IconPhoto, IconPlayerStopFilled } from '@tabler/icons-react'

import classes from './composer.module.css'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useIsArriving, useSession } from '../hooks/chat-context'
import type { Question } from '../session/session'
import { structureFault } from '../session/structured'
import { ImageStrip, imageTypes, maxBytes, maxImages, readImages } from './images'
import { notifyWarning } from '../../../lib/browser/notify'
import { formatDecimal } from '../../../lib/text/format'

interface ComposerProps {
  readonly sessionId: string
  readonly onSend: (question: Question) => void
}

/** Writes the next question. */
export function Composer({ sessionId, onSend }: ComposerProps) {
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
  const canSend = !isArriving && hasModels && !hasFault && (text.trim() !== '' || images.length > 0)

  function send() {
    if (!canSend) return
    // Cleared first, so that the stored draft is removed too.
    setText('')
    clear()
    onSend({ text, images })
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
            send()
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
            <Button rightSection={<IconArrowUp size={14} />} onClick={send} disabled={!canSend}>
              {t('compose.send')}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

const examples = ['explain', 'code', 'translate'] as const

/** Questions to begin with. They are filled in, not sent: a call costs money. */
function Examples({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { t } = useTranslation('playground')
  return (
    <div className={classes.examples} role="group" aria-label={t('example.label')}>
      {examples.map((name) => (
        <Button key={name} variant="default" radius="xl" fw={400} onClick={() => onChoose(t(`example.${name}`))}>
          {t(`example.${name}`)}
        </Button>
      ))}
    </div>
  )
}

/** Images of the next question. */
function useAttachments() {
  const { t } = useTranslation('playground')
  const [images, setImages] = useState<readonly string[]>([])
  const count = useRef(0)
  count.current = images.length

  async function read(files: readonly File[]) {
    const { images: more, refused } = await readImages(files, maxImages - count.current)
    setImages((current) => [...current, ...more])
    for (const { name, why } of refused)
      notifyWarning(t(`image.fault.${why}`, { name, size: formatDecimal(maxBytes / 1024 / 1024), count: maxImages }))
  }

  return {
    images: [...images],
    add: (files: readonly File[]) => void read(files),
    remove: (index: number) => setImages((current) => current.filter((_, other) => other !== index)),
    clear: () => setImages([]),
  }
}

/** Accepts files dropped anywhere on the page. Returns whether some are dragged over it. */
function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

const key = (sessionId: string) => `playground-text-${sessionId}`

/** Keeps the text being typed across reloads and a new sign-in. */
function useComposedText(sessionId: string) {
  const [text, setText] = useState(() => readText(sessionId))
  const change = (next: string) => {
    setText(next)
    writeText(sessionId, next)
  }
  return [text, change] as const
}

function readText(sessionId: string): string {
  try {
    return sessionStorage.getItem(key(sessionId)) ?? ''
  } catch {
    return ''
  }
}

function writeText(sessionId: string, text: string) {
  try {
    if (text === '') sessionStorage.removeItem(key(sessionId))
    else sessionStorage.setItem(key(sessionId), text)
  } catch {
    // Storage is full or forbidden: the text lives with the page only.
  }
}

/** Enter sends; Shift+Enter is a line break, and an Enter that commits IME input is neither. */
export const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing
