import type { logRoutes } from '@tollgate/contract'

import { LogSearch } from '../src/features/logs/log-search'
import { LogsPage } from '../src/features/logs/logs-page'
import { aLog } from './log-factory'
import { hideColumns } from './hide-columns'
import { renderConsole } from './render'
import { serve } from './server'

const path = '/app/logs/api-usage'
export const aStat = { quota: 1_000_000, rpm: 3, tpm: 4, token_total: 30, token_input: 20, token_output: 10 }
type ListedLog = logRoutes.LogEntity & { readonly attempts?: logRoutes.LogEntity[] }
export const pageOf = (items: readonly ListedLog[]) => ({ items, page: 1, page_size: 10, total: items.length })
const totals = { count: 0, errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time: 0 }
export const callsAt = (times: readonly number[]) => ({
  totals,
  previous: totals,
  times,
  totals_by_time: { count: times, errors: times, quota: times, tokens: times },
  series: [],
})
const noCalls = callsAt([])
export const threeLogs = [3, 2, 1].map((id) => aLog({ id, model_name: `model-${id}`, user_id: 5, username: 'mei' }))

/** Beside the time and the model. */
const columns = [
  'type',
  'channel',
  'username',
  'token',
  'group',
  'tokens',
  'cost',
  'duration',
  'retry',
  'ip',
  'details',
] as const
type Columns = readonly (typeof columns)[number][]

interface OpenOptions {
  readonly search?: string
  readonly user?: { readonly role?: number }
  /** Those that the test looks at. */
  readonly looksAt?: Columns | 'all'
}

/** Opens the log page with these server responses. */
export async function openLogsPage(
  responses: Parameters<typeof serve>[0] = {},
  { search = '', user = {}, looksAt = [] }: OpenOptions = {},
) {
  hideColumns(
    'logs',
    columns.filter((id) => looksAt !== 'all' && !looksAt.includes(id)),
  )
  const calls = serve({
    'GET /api/log': () => pageOf(threeLogs),
    'GET /api/log/self': () => pageOf(threeLogs),
    'GET /api/log/stat': () => aStat,
    'GET /api/user/models': () => [],
    'GET /api/data': () => noCalls,
    'GET /api/data/self': () => noCalls,
    'GET /api/token': () => pageOf([]),
    'GET /api/user/self/groups': () => ({}),
    'GET /api/log/self/stat': () => aStat,
    ...responses,
  })
  const view = await renderConsole(<LogsPage />, {
    user,
    address: path + search,
    path,
    validateSearch: (search) => LogSearch.parse(search),
  })
  return { ...view, calls, address: () => view.router.state.location.search }
}
