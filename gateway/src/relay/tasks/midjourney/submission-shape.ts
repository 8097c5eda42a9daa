import { isObject, type JsonObject } from '@tollgate/dialects'

import type { TaskRow } from '../../../platform/store/tables'
import { readObject } from '../../../tasks/task-store'

/** Returns the response to a submission, as midjourney-proxy writes it. */
export function submissionShape(task: TaskRow): JsonObject {
  const { submission } = readObject(task.data)
  const { description, properties, result } = isObject(submission) ? submission : {}
  return {
    code: task.status === 'MODAL' ? codes.waits : codes.submitted,
    description: typeof description === 'string' && description !== '' ? description : 'Submit success',
    result: Array.isArray(result) ? result : task.public_id,
    properties: isObject(properties) ? properties : {},
  }
}

/** `waits`: clients answer it with what the dialog asks, as a modal. */
const codes = { submitted: 1, waits: 21 } as const
