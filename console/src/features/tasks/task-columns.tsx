import { useMemo } from 'react'

import type { Column } from '../../components/data-table/types'
import { Tip } from '../../components/tip'
import { TimeAgo } from '../../components/time-ago'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { isBatch, type Task } from './task'
import {
  CostCell,
  DurationCell,
  ResultCell,
  StatusCell,
  actionName,
  codeName,
  platformName,
  toneOfCode,
} from './task-cells'
import type { TaskKind } from './task-data'
import classes from './tasks.module.css'

/** Columns of a log in order. Channel, user and the result of the submission are for administrators. */
export function useTaskColumns(kind: TaskKind, platform: string | undefined): readonly Column<Task>[] {
  const { t } = useTranslation('tasks')
  const readsAll = useViewer().may('logs.read')
  return useMemo(() => {
    const isDrawing = kind.name === 'drawing'
    const column = (id: Name, more: Content & { readonly title?: string }): Column<Task> => ({
      id,
      title: t(`column.${id}`),
      ...more,
    })
    return [
      column('result', { card: 'trailing', cell: (task) => <ResultCell task={task} /> }),
      column('submitted', {
        isFixed: true,
        card: 'plain',
        cell: ({ submittedAt: at }) => at > 0 && <TimeAgo at={at} />,
      }),
      ...(isDrawing ? [] : [column('finished', finished)]),
      ...(readsAll ? [column('username', username), column('channel', channel)] : []),
      column('action', {
        card: 'title',
        cell: ({ action, model }) => (
          <Tip label={model}>
            <span>{actionName(action)}</span>
          </Tip>
        ),
      }),
      ...(isDrawing
        ? []
        : [
            column('platform', {
              card: 'plain',
              stackBelow: 'action',
              // What a batch does has the name of where it runs.
              cell: (task) => !isBatch(task) && platformName(task.platform),
            }),
          ]),
      column('task', {
        card: 'hidden',
        stackBelow: 'action',
        hiddenBelow: 'wide',
        ownColumnFrom: 'wide',
        cell: ({ taskId }) => <TaskId id={taskId} />,
      }),
      column('status', { card: 'title', cell: (task) => <StatusCell task={task} /> }),
      ...(isDrawing && readsAll ? [column('code', code)] : []),
      column('prompt', {
        ...(platform !== undefined && isBatch({ platform }) && { title: t('column.calls') }),
        isWide: true,
        card: 'line',
        cell: ({ prompt }) => prompt && <Line text={prompt} />,
        cardCell: ({ prompt }) => prompt && <span className={classes.paragraph}>{prompt}</span>,
      }),
      ...(isDrawing ? [column('promptEn', promptEn)] : []),
      column('reason', {
        stackBelow: 'prompt',
        card: 'line',
        cell: ({ failReason }) => failReason && <Line text={failReason} isBad />,
        cardCell: ({ failReason }) => failReason && <span className={classes.paragraph}>{failReason}</span>,
      }),
      column('duration', {
        isSortable: true,
        align: 'end',
        card: 'plain',
        hiddenBelow: 'wide',
        cell: (task) => <DurationCell task={task} />,
      }),
      column('cost', {
        isSortable: true,
        align: 'end',
        card: 'plain',
        stackBelow: 'submitted',
        ownColumnFrom: 'wide',
        cell: (task) => <CostCell task={task} />,
      }),
    ]
  }, [t, kind, platform, readsAll])
}

type Name =
  | 'result'
  | 'submitted'
  | 'finished'
  | 'username'
  | 'channel'
  | 'action'
  | 'platform'
  | 'task'
  | 'status'
  | 'code'
  | 'prompt'
  | 'promptEn'
  | 'reason'
  | 'duration'
  | 'cost'

type Content = Omit<Column<Task>, 'id' | 'title'>

const finished: Content = {
  isHiddenAtFirst: true,
  card: 'hidden',
  cell: ({ finishedAt: at }) => at > 0 && <span className="figures">{formatTime(at)}</span>,
}

const username: Content = { stackBelow: 'submitted', card: 'plain', cell: ({ username: name }) => name }

const channel: Content = {
  stackBelow: 'action',
  card: 'hidden',
  cell: ({ channelId: id, channelName: name }) =>
    !!id && (
      <Tip label={`#${id}`}>
        <span>{name || `#${id}`}</span>
      </Tip>
    ),
}

const code: Content = {
  card: 'hidden',
  stackBelow: 'status',
  cell: ({ code: number }) => number !== undefined && <Submission code={number} />,
}

const promptEn: Content = {
  stackBelow: 'prompt',
  card: 'hidden',
  cell: ({ promptEn: text }) => text && <Line text={text} />,
}

const Submission = ({ code }: { readonly code: number }) => (
  <span className={classes.submission} data-tone={toneOfCode(code)}>
    {codeName(code)}
  </span>
)

const TaskId = ({ id }: { readonly id: string }) => (
  <div className={classes.id} title={id}>
    {id}
  </div>
)

/** The panel has all of it. */
const Line = ({ text, isBad = false }: { readonly text: string; readonly isBad?: boolean }) => (
  <div className={classes.line} data-is-bad={isBad || undefined} title={text}>
    {text}
  </div>
)
