import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'

import { useMatches } from '../../lib/browser/breakpoints'
import { useStored } from '../../lib/browser/stored-value'
import { watchPosition } from '../../lib/url/watch-position'
import { Composer } from './composer/composer'
import { ChatContext, InspectContext, type Inspected } from './hooks/chat-context'
import { useKnownChoices } from './hooks/use-choices'
import { Panel, type PanelName, shownPanels } from './panel'
import classes from './playground.module.css'
import { lastModels } from './session/settings'
import { hasArriving, type Question, type Session } from './session/session'
import { SessionList } from './session-list'
import { SettingsPanel } from './settings/settings-panel'
import type { SavedSessions } from './storage/saved-sessions'
import { ConversationBar } from './conversation-bar'
import { Conversation } from './turns/conversation'
import { useTranslation } from '../../lib/text/i18n'
import { Chat } from './chat/chat'
import { loggedCall } from '../../lib/api/logged-call'
import { newId } from './session/new-id'
import { callChat } from './stream/call-chat'

const Inspector = lazy(async () => ({ default: (await import('./inspector')).Inspector }))

const route = getRouteApi('/playground')
/** Wide enough for panels beside the conversation. */
const roomyQuery = '(min-width: 1100px)'
/** Wide enough for one panel on either side. */
const spaciousQuery = '(min-width: 1600px)'

/** The page fills the window below any notices. */
const watchTop = (page: HTMLElement | null) => (page ? watchPosition(page) : undefined)

interface WorkspaceProps {
  readonly session: Session
  readonly saved: SavedSessions
}

/** A session: the conversation, the composer, and the panels for sessions and settings. */
export function Workspace({ session, saved }: WorkspaceProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const chat = useLiveChat(session, saved, useKnownChoices().ownGroup)
  const isRoomy = useMatches(roomyQuery)
  const isSpacious = useMatches(spaciousQuery)
  const [panels, setPanels] = useStored(shownPanels)
  const [inspected, setInspected] = useState<Inspected | undefined>()
  const inspect = useCallback((next: Inspected) => setInspected(next), [])

  const openPanels = { sessions: isSpacious, settings: true, ...panels }
  const setPanel = (panel: PanelName | undefined) => void navigate({ search: (current) => ({ ...current, panel }) })
  const isShown = (name: PanelName) => (isRoomy ? openPanels[name] : search.panel === name)
  const toggle = (name: PanelName) =>
    isRoomy ? setPanels({ ...panels, [name]: !openPanels[name] }) : setPanel(isShown(name) ? undefined : name)

  function sendQuestion(question: Question) {
    chat.sendQuestion(question)
    lastModels.set(chat.get().lanes.map(({ model }) => model))
    if (search.session !== session.id) void navigate({ search: { session: session.id }, replace: true })
  }

  return (
    <ChatContext value={chat}>
      <InspectContext value={inspect}>
        <div className={classes.page} ref={watchTop}>
          {isShown('sessions') && (
            <Panel name="sessions" isDocked={isRoomy} onClose={() => setPanel(undefined)}>
              <SessionList saved={saved} />
            </Panel>
          )}
          <section className={classes.conversation}>
            <ConversationBar isShown={isShown} onToggle={toggle} />
            <Conversation />
            <Composer sessionId={session.id} onSend={sendQuestion} />
          </section>
          {isShown('settings') && (
            <Panel name="settings" isDocked={isRoomy} onClose={() => setPanel(undefined)}>
              <SettingsPanel />
            </Panel>
          )}
        </div>
        <Suspense>{inspected && <Inspector inspected={inspected} onClose={() => setInspected(undefined)} />}</Suspense>
      </InspectContext>
    </ChatContext>
  )
}

const saveEveryMs = 1_000

/** A chat that lives with the page: saved while it goes on, stopped and saved when the page goes. */
function useLiveChat(session: Session, saved: SavedSessions, ownGroup: string): Chat {
  const { t } = useTranslation('playground')
  const defaults = useRef({ group: ownGroup, system: '' })
  defaults.current = { group: ownGroup, system: t('system.default') }
  const [chat] = useState(
    () =>
      new Chat({
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
