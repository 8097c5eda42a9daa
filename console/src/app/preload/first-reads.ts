import { settingsReaders, type Grant } from '@tollgate/contract'

import { firstReads as dashboard } from '../../features/dashboard/first-reads'
import type { EarningSearch } from '../../features/dashboard/earnings/earning-search'
import { earningQuery, earningView } from '../../features/dashboard/earnings/earning-view'
import { firstReads as logs } from '../../features/logs/first-reads'
import { firstReads as tokens } from '../../features/tokens/first-reads'
import type { FirstRead, FirstReads, Opened } from '../../lib/api/first-reads'

interface PageReads {
  /** Grants, any one of which the page needs. */
  readonly grants?: Grant | readonly Grant[]
  readonly reads: FirstReads<never>
  /** Whether readers without calls have a checklist above it. */
  readonly hasChecklist?: true
}

const always =
  (...paths: readonly string[]): FirstReads<never> =>
  () =>
    paths.map((path) => [path])

/** Reads of a list page without filters. */
const list =
  (path: string, query: NonNullable<FirstRead[1]>, ...others: readonly FirstRead[]): FirstReads<object> =>
  ({ search, size }) =>
    Object.keys(search).length > 0 ? [] : [[path, { p: 1, page_size: size, ...query }], ...others]

/** Reads of a message list, whose page size is stored separately. */
const listOfMessages =
  (path: string, ...others: readonly FirstRead[]): FirstReads<object> =>
  ({ messageSize, ...opened }) =>
    list(path, {}, ...others)({ ...opened, messageSize, size: messageSize })

const earnings: FirstReads<EarningSearch> = ({ search, at, usualStep }) => [
  ['/api/data/earnings', earningQuery(earningView(search, { now: at, usualStep }))],
]

/** What each page reads first, requested before its code has arrived. Pages not listed make their own requests. */
export const firstReads: Readonly<Record<string, PageReads>> = {
  '/': { reads: always('/api/home_page_content') },
  '/about': { reads: always('/api/about') },
  '/pricing': { reads: always('/api/pricing') },
  '/playground': { reads: () => [['/api/user/models', { chat: true }], ['/api/user/self/groups'], ['/api/pricing']] },
  '/app/tokens': { reads: tokens, hasChecklist: true },
  '/app/dashboard': { reads: dashboard, hasChecklist: true },
  '/app/logs/api-usage': { reads: logs },
  '/app/wallet': { reads: always('/api/user/self', '/api/user/statement', '/api/user/topup/info') },
  '/app/plans': { reads: always('/api/user/plans', '/api/user/subscriptions') },
  '/app/inbox': { reads: listOfMessages('/api/user/messages', ['/api/user/messages/unread_count']) },
  '/app/me': { reads: always('/api/user/self') },
  '/admin/channels': {
    grants: 'channels.read',
    reads: list('/api/channel', { id_sort: false, tag_mode: false }, ['/api/channel/types'], ['/api/group']),
  },
  '/admin/coupons': { grants: 'codes.read', reads: list('/api/redemption', { p: 0 }) },
  '/admin/plans': { grants: 'orders.read', reads: always('/api/plan') },
  '/admin/orders': { grants: 'orders.read', reads: list('/api/user/topup', {}) },
  '/admin/messages': { grants: 'messages.read', reads: listOfMessages('/api/admin/messages') },
  '/admin/users': { grants: 'users.read', reads: list('/api/user', {}, ['/api/group']) },
  '/admin/tokens': {
    grants: 'users.read',
    reads: ({ search, size }: Opened<object>) =>
      Object.keys(search).length > 0 ? [] : [['/api/token/all', { p: 0, size }], ['/api/group']],
  },
  '/admin/audit': { grants: 'audit.read', reads: list('/api/audit', {}) },
  '/admin/earnings': { grants: 'costs.read', reads: earnings },
  '/admin/prices': { grants: 'prices.read', reads: list('/api/prices', {}) },
  '/admin/settings': { grants: settingsReaders, reads: always('/api/option') },
}
