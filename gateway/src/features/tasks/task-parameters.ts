import { taskRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { readObject } from '../../tasks/task-store'
import type { ListedTask } from './find-tasks'

const Request = z.object({
  asked: taskRoutes.TaskParameters.catch({}),
  left_out: z.array(z.string()).catch([]),
})

type Shown = Pick<taskRoutes.OwnTask, 'parameters' | 'parameters_left_out'>

/** Returns what a task was asked for besides model and prompt, as far as it is kept. */
export function parametersOf({ request }: Pick<ListedTask, 'request'>): Shown {
  const { asked, left_out: leftOut } = Request.parse(readObject(request))
  return { parameters: asked, parameters_left_out: leftOut }
}
