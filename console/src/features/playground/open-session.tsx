import { useState } from 'react'

import { useViewer } from '../../lib/api/session'
import { PageLoading } from '../../components/page/page-loading'
import { useKnownChoices } from './hooks/choices-context'
import { useOpened } from './hooks/use-opened'
import { savedSessionsOf } from './storage/saved-sessions-of'
import { Workspace } from './workspace'

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
