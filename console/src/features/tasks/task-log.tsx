import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { taskRoutes } from '@tollgate/contract'
import { lazy, useCallback, type ReactNode } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { useList } from '../../components/data-table/use-list'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { PageHeader } from '../../components/page/page-header'
import { Tip } from '../../components/tip'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/text/i18n'
import { useRefresh } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import type { Task } from './task'
import { TaskFilters } from './task-filters'
import { useOpenTask, useTaskPage, noFilters, useTaskFilter, type TaskKind } from './task-data'
import type { TaskSearch } from './task-search'
import { useTaskColumns } from './task-columns'

const TaskPanel = lazy(async () => ({ default: (await import('./task-panel')).TaskPanel }))

interface TaskLogProps {
  readonly kind: TaskKind
  readonly search: TaskSearch
  readonly setSearch: (change: Partial<TaskSearch>) => void
  /** Between the title and the list. */
  readonly children?: ReactNode
}

const rowKey = ({ id }: Task) => String(id)
const hasFailed = ({ status }: Task) => status === 'FAILURE'
const wasCancelled = ({ status }: Task) => status === 'CANCEL'

/** The tasks of a log, with the open one beside them. */
export function TaskLog({ kind, search, setSearch, children }: TaskLogProps) {
  const { t } = useTranslation('tasks')
  const readsAll = useViewer().may('logs.read')
  const { filter, renew } = useTaskFilter(search, kind.range, readsAll)
  const list = useList(search, setSearch, { sorts: taskRoutes.taskSorts, noFilters })
  const found = useTaskPage(kind, filter, list.part)
  const tasks = found.data?.tasks
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(search.open, tasks, open)
  const opened = useOpenTask(kind, search.open, tasks)
  const refresh = useRefresh()
  return (
    <>
      <PageHeader title={t(`${kind.name}.title`)}>
        <Tip label={t('refresh')}>
          <ActionIcon
            variant="default"
            aria-label={t('refresh')}
            onClick={() => {
              renew()
              void refresh(kind.route(readsAll))
            }}
          >
            <IconRefresh size={17} />
          </ActionIcon>
        </Tip>
      </PageHeader>
      {children}
      <ListWithPanel panel={search.open !== undefined && <TaskPanel {...opened} {...peek.panel} />}>
        <DataTable
          id={kind.tableId}
          label={t(`${kind.name}.title`)}
          columns={useTaskColumns(kind, search.platform)}
          rowKey={rowKey}
          source={{
            rows: tasks,
            isPending: found.isPending,
            isFetching: found.isPlaceholderData,
            error: found.error,
            onRetry: () => void found.refetch(),
          }}
          {...list.tableOf(found.data?.total, found.data?.isTotalCapped)}
          {...peek.table}
          isBad={hasFailed}
          isMuted={wasCancelled}
          empty={{ title: t(`${kind.name}.empty`), hint: t(`${kind.name}.emptyHint`), action: null }}
          toolbar={<TaskFilters kind={kind} search={search} onChange={list.filter} />}
        />
      </ListWithPanel>
    </>
  )
}
