import { mostLogViews, readUserSetting, selfRoutes } from '@tollgate/contract'

import { useRead, useWrite } from '../../../lib/api/query'
import { LogSearch } from '../log-search'
import type { SavedView } from './saved-views'

/** The reader's own views, stored in the account; undefined until they are loaded. */
export function useSavedViews(isAsked: boolean) {
  const { data: views } = useRead(selfRoutes.getSelf, {}, { enabled: isAsked, select: viewsOf })
  const { mutate } = useWrite(selfRoutes.updateSetting, { changes: [selfRoutes.getSelf] })
  return {
    views,
    hasRoom: views !== undefined && views.length < mostLogViews,
    setViews: (changed: readonly SavedView[]) =>
      mutate({ body: { log_views: changed.map(({ name, search }) => ({ name, search })) } }),
  }
}

const viewsOf = (self: Parameters<typeof readUserSetting>[0]): readonly SavedView[] =>
  readUserSetting(self).log_views.map(({ name, search }) => ({ name, search: LogSearch.parse(search) }))
