import { useEffect, useRef, useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { createChat, type Chat } from '../chat/create-chat'
import { loggedCall } from '../../../lib/api/logged-call'
import { newId } from '../session/new-id'
import { hasArriving, type Session } from '../session/session'
import type { SavedSessions } from '../storage/saved-sessions'
import { callChat } from '../stream/call-chat'

const saveEveryMs = 1_000

/** A chat that lives with the page: saved while it goes on, stopped and saved when the page goes. */
export function useLiveChat(session: Session, saved: SavedSessions, ownGroup: string): Chat {
  const { t } = useTranslation('playground')
  const defaults = useRef({ group: ownGroup, system: '' })
  defaults.current = { group: ownGroup, system: t('system.default') }
  const [chat] = useState(() =>
    createChat({
      session,
      call: callChat,
      newId,
      now: () => performance.now(),
      defaults: () => defaults.current,
      findLogEntry: loggedCall,
    }),
  )
  useEffect(() => keeping(chat, saved), [chat, saved])
  return chat
}

/** Saves changes at most once a second, and at the end. Returns a function that stops it. */
function keeping(chat: Chat, saved: SavedSessions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let savedAt = -Infinity
  function save() {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    savedAt = performance.now()
    void saved.save({ ...chat.get(), updatedAt: Date.now() })
  }
  let wasArriving = false
  const unsubscribe = chat.subscribe(() => {
    const session = chat.get()
    if (session.turns.length === 0 && !saved.summaries()?.some(({ id }) => id === session.id)) return
    timer ??= setTimeout(save, Math.max(0, savedAt + saveEveryMs - performance.now()))
    const isArriving = hasArriving(session)
    // A page closed right after a response ended could not save it any more.
    if (wasArriving && !isArriving) save()
    wasArriving = isArriving
  })
  window.addEventListener('pagehide', save)
  document.addEventListener('visibilitychange', save)
  return () => {
    window.removeEventListener('pagehide', save)
    document.removeEventListener('visibilitychange', save)
    chat.stop()
    unsubscribe()
    save()
  }
}
