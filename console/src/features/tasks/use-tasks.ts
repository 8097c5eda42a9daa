import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiError, taskRoutes } from '@tollgate/contract'

import type { ListPart } from '../../components/data-table/use-list'
import { currentLanguage } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { isOpen, type Task } from './task'
import type { TaskKind, TaskPage } from './task-kinds'
import type { TaskFilter } from './task-query'

const pollMs = 3_000

/**
 * A page of a log. Each is fetched when it is first opened and kept, so that going back costs nothing; of the tasks that are open only
 * their state is asked for again, while the page is visible, and no row moves.
 */
export function useTaskPage(kind: TaskKind, filter: TaskFilter, part: ListPart<taskRoutes.TaskSort>) {
  const readsAll = useViewer().may('logs.read')
  const { page, size, sort, descending } = part
  const query = { ...filter, p: page - 1, page_size: size, sort, descending }
  const list = useQuery<TaskPage, ApiError>({
    queryKey: [kind.route(readsAll).path, 'page', query, currentLanguage()],
    queryFn: () => kind.read(query, readsAll),
    placeholderData: keepPreviousData,
    staleTime: keptMs,
  })
  useProgress(kind, list.data?.tasks.filter(isOpen) ?? [])
  return list
}

const keptMs = 60_000

/** Follows the open tasks among the rows that are shown. */
function useProgress(kind: TaskKind, open: readonly Task[]) {
  const readsAll = useViewer().may('logs.read')
  const client = useQueryClient()
  const ids = open.map(({ id }) => id)
  const path = kind.route(readsAll).path
  useQuery<readonly Task[], ApiError>({
    queryKey: ['task-progress', path, ids, currentLanguage()],
    queryFn: async () => {
      const { tasks } = await kind.read({ ids, page_size: ids.length }, readsAll)
      client.setQueriesData<TaskPage>({ queryKey: [path] }, (page) => page && withTasks(page, tasks))
      return tasks
    },
    enabled: ids.length > 0,
    // The rows have just been read.
    initialData: open,
    staleTime: pollMs,
    refetchInterval: pollMs,
  })
}

const withTasks = (page: TaskPage, newer: readonly Task[]): TaskPage => {
  const byId = new Map(newer.map((task) => [task.id, task]))
  return { ...page, tasks: page.tasks.map((task) => byId.get(task.id) ?? task) }
}

/** The task whose panel is open: from the page where it is there. */
export function useOpenTask(kind: TaskKind, id: number | undefined, tasks: readonly Task[] | undefined) {
  const readsAll = useViewer().may('logs.read')
  const known = tasks?.find((task) => task.id === id)
  const asked = useQuery<TaskPage, ApiError>({
    queryKey: [kind.route(readsAll).path, 'one', id, currentLanguage()],
    queryFn: () => kind.read({ ids: [id ?? 0], page_size: 1 }, readsAll),
    enabled: id !== undefined && tasks !== undefined && known === undefined,
    refetchInterval: ({ state }) => (state.data?.tasks.some(isOpen) ? pollMs : false),
  })
  const task = known ?? asked.data?.tasks[0]
  return { task, isGone: asked.data?.tasks.length === 0, error: asked.error, retry: () => void asked.refetch() }
}
