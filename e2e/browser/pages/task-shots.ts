import { withImages } from './past-tasks'
import type { Shot } from './shot'

/** Drawings, other tasks and batches. */
export const taskShots: readonly Shot[] = [
  { name: 'drawings', path: '/app/logs/drawing', as: 'root', prepare: withImages },
  { name: 'drawings-own', path: '/app/logs/drawing', as: 'user', prepare: withImages },
  {
    name: 'drawing-peek',
    path: '/app/logs/drawing?open={drawingId}',
    as: 'root',
    isOpening: true,
    prepare: withImages,
  },
  { name: 'tasks', path: '/app/logs/tasks', as: 'root', prepare: withImages },
  {
    name: 'batches',
    path: '/app/logs/tasks?platform=batch&range=week',
    as: 'root',
    prepare: withImages,
  },
  {
    name: 'batch-peek',
    path: '/app/logs/tasks?range=week&open={batchId}',
    as: 'user',
    isOpening: true,
    prepare: withImages,
  },
  {
    name: 'batch-cancel',
    path: '/app/logs/tasks?range=week&open={batchId}',
    as: 'user',
    prepare: withImages,
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Stop batch|停止批处理)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'task-peek',
    path: '/app/logs/tasks?range=week&open={songId}',
    as: 'user',
    isOpening: true,
    prepare: withImages,
  },
]
