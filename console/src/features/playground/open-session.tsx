import { useState } from 'react'

import { useViewer } from '../../lib/api/session'
import { PageLoading } from '../../components/page/page-loading'
import { useKnownChoices } from './hooks/choices-context'
import { useOpened } from './hooks/use-opened'
import { Workspace } from './workspace'
import { indexedDbStorage } from './storage/indexed-db'
import { memoryStorage, type SessionStorage } from './storage/session-storage'
import { createSavedSessions, type SavedSessions } from './storage/saved-sessions'

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
  storage ??= typeof indexedDB === 'undefined' ? memoryStorage() : indexedDbStorage(indexedDB)
  const saved = byUser.get(userId) ?? createSavedSessions(storage, userId)
  byUser.set(userId, saved)
  return saved
}
