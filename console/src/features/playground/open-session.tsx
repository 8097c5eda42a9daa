import { useEffect, useRef, useState } from 'react'
import { getRouteApi, useRouterState } from '@tanstack/react-router'

import { useViewer } from '../../lib/api/session'
import { PageLoading } from '../../components/page/page-loading'
import { type Choices, useKnownChoices } from './hooks/use-choices'
import { Workspace } from './workspace'
import { IndexedDbStorage, MemoryStorage, type SessionStorage } from './storage/session-storage'
import { SavedSessions } from './storage/saved-sessions'
import { useTranslation } from '../../lib/text/i18n'
import { notifyWarning } from '../../lib/browser/notify'
import { takeDraft } from '../../lib/url/playground-draft'
import { newSession, startingPoint, withDraft } from './session/new-session'
import type { Session } from './session/session'
import { sharedIn, withShared } from './session/shared-settings'
import { defaultSettings, lastModels, lastSettings } from './session/settings'

/** The session of the address, and the page around it. */
export function OpenSession() {
  const { user } = useViewer()
  // A reader who is signed out on this page leaves it; until then the session is theirs.
  const [userId] = useState(user?.id ?? 0)
  const saved = savedSessionsOf(userId)
  const session = useOpened(saved, userId, useKnownChoices())
  if (!session) return <PageLoading />
  return <Workspace key={session.id} session={session} saved={saved} />
}

const byUser = new Map<number, SavedSessions>()
let storage: SessionStorage | undefined

/** Returns the store of a user; people who share a browser cannot read one another's sessions. */
function savedSessionsOf(userId: number): SavedSessions {
  storage ??= typeof indexedDB === 'undefined' ? new MemoryStorage() : new IndexedDbStorage(indexedDB)
  const saved = byUser.get(userId) ?? new SavedSessions(storage, userId)
  byUser.set(userId, saved)
  return saved
}

const route = getRouteApi('/playground')

/** Opens the session in the address, or one handed over by another page, or a new one. */
function useOpened(saved: SavedSessions, userId: number, choices: Choices): Session | undefined {
  const { t } = useTranslation('playground')
  const { session: id, model, draft: isDraft } = route.useSearch()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<Session | undefined>()
  const openId = useRef<string | undefined>(undefined)
  // The session shown depends on the address, not on what is used to load it.
  const latest = useRef({ choices, navigate, t })
  latest.current = { choices, navigate, t }

  useEffect(() => {
    const show = (session: Session) => {
      openId.current = session.id
      setOpened(session)
    }
    const nameInAddress = (session: string | undefined) =>
      void latest.current.navigate({ search: { session }, replace: true })
    const startSession = (models: readonly string[], isNamed: boolean) =>
      startNew(userId, { models, isNamed }, latest.current.choices)

    if (id !== undefined) {
      if (id === openId.current) return undefined
      let isGone = false
      void saved.open(id).then((session) => {
        if (isGone) return
        if (session) return show(session)
        notifyWarning(latest.current.t('session.missing'))
        return nameInAddress(undefined)
      })
      return () => {
        isGone = true
      }
    }
    const draft = isDraft ? takeDraft() : undefined
    // React may run this twice; the second time the draft is already taken.
    if (isDraft && !draft && openId.current !== undefined) return undefined
    const shared = sharedIn(hash)
    if (shared) {
      const models = shared.lanes.map((lane) => lane.model)
      show(withShared(startSession(models, true), shared))
    } else if (!draft) show(model === undefined ? startSession(lastModels.get(), false) : startSession([model], true))
    else {
      const fresh = startSession([draft.model], true)
      const session = withDraft({ ...fresh, settings: { ...defaultSettings, group: fresh.settings.group } }, draft)
      show(session)
      void saved.save(session)
      nameInAddress(session.id)
    }
    return undefined
  }, [id, model, isDraft, hash, saved, userId])

  return opened
}

interface RequestedSession {
  readonly models: readonly string[]
  readonly isNamed: boolean
}

function startNew(userId: number, requested: RequestedSession, choices: Choices): Session {
  const settings = lastSettings.get()
  const { models, group } = startingPoint({ ...requested, group: settings.group }, choices)
  return newSession({ userId, models, settings: { ...settings, group }, now: Date.now() })
}
