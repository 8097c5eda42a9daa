import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { createChat, type Chat } from '../chat/create-chat'
import { newId } from '../session/new-id'
import type { Session } from '../session/session'
import type { Shelf } from '../storage/shelf'
import { callChat } from '../stream/call-chat'

const saveEveryMs = 1_000

/** A chat that lives with the page: kept while it goes on, stopped and kept when the page goes. */
export function useLiveChat(session: Session, shelf: Shelf, ownGroup: string): Chat {
  const { t } = useTranslation('playground')
  const defaults = useRef({ group: ownGroup, system: '' })
  defaults.current = { group: ownGroup, system: t('system.default') }
  const [chat] = useState(() =>
    createChat({ session, call: callChat, newId, now: () => performance.now(), defaults: () => defaults.current }),
  )
  useEffect(() => keeping(chat, shelf), [chat, shelf])
  return chat
}

/** Save what changed, at most once a second and at last; answers how to end that. */
function keeping(chat: Chat, shelf: Shelf): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let savedAt = -Infinity
  function save() {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    savedAt = performance.now()
    void shelf.save({ ...chat.get(), updatedAt: Date.now() })
  }
  const unsubscribe = chat.subscribe(() => {
    const isWorthIt = chat.get().turns.length > 0 || shelf.summaries()?.some(({ id }) => id === chat.get().id)
    if (isWorthIt) timer ??= setTimeout(save, Math.max(0, savedAt + saveEveryMs - performance.now()))
  })
  window.addEventListener('pagehide', save)
  return () => {
    window.removeEventListener('pagehide', save)
    chat.stop()
    unsubscribe()
    save()
  }
}
