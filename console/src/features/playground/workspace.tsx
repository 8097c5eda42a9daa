import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'

import { useMatches } from '../../lib/browser/breakpoints'
import { useStored } from '../../lib/browser/storage'
import { watchPlace } from '../../lib/url/watch-place'
import { Composer } from './composer/composer'
import { ChatContext } from './hooks/chat-context'
import { useKnownChoices } from './hooks/choices-context'
import { useLiveChat } from './hooks/use-live-chat'
import { InspectContext, type Inspected } from './inspector/inspect-context'
import { Panel } from './panel'
import { shownPanels, type PanelName } from './panels'
import classes from './playground.module.css'
import { lastModels } from './session/settings'
import type { Question, Session } from './session/session'
import { SessionList } from './sessions/session-list'
import { SettingsPanel } from './settings/settings-panel'
import type { SavedSessions } from './storage/saved-sessions'
import { ConversationBar } from './conversation-bar'
import { Conversation } from './turns/conversation'

const Inspector = lazy(async () => ({ default: (await import('./inspector/inspector')).Inspector }))

const route = getRouteApi('/playground')
/** Wide enough for panels beside the conversation. */
const roomyQuery = '(min-width: 1100px)'
/** Wide enough for one panel on either side. */
const spaciousQuery = '(min-width: 1600px)'

/** The page fills the window below any notices. */
const watchTop = (page: HTMLElement | null) => (page ? watchPlace(page) : undefined)

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
