import { groupRoutes } from '@tollgate/contract'

import { usableGroups } from '../../accounts/callers/usable-groups'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import type { Language } from '../../http/language'

function groupsOf(ctx: Context, ownGroup: string | null, language: Language) {
  const groups = usableGroups(ctx.catalog.current.options, ownGroup, language)
  return Object.fromEntries([...groups].map(([name, { description, ratio }]) => [name, { desc: description, ratio }]))
}

export const groupHandlers: readonly Handler[] = [
  handler(groupRoutes.listGroups, (_input, { ctx }) =>
    Promise.resolve(Object.keys(ctx.catalog.current.options.GroupRatio).sort()),
  ),
  handler(groupRoutes.ownGroups, (_input, { ctx, caller, language }) =>
    Promise.resolve(groupsOf(ctx, caller.group, language)),
  ),
  handler(groupRoutes.guestGroups, (_input, { ctx, language }) => Promise.resolve(groupsOf(ctx, null, language))),
]
