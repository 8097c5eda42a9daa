import type { backgroundPlatforms } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { TaskRow } from '../../platform/store/tables'
import { imagesOf, type StoredTaskResponse } from '../../tasks/task-answers'
import type { StoredResult } from '../../tasks/task-store'
import type { ModelCall } from '../call'
import { selectStoredParameters } from '../../tasks/stored-parameters'
import { imageObject } from '../tasks/images/image-object'
import { responseObject, shownMembers } from '../tasks/responses/response-object'

/** A kind of calls that run in the background. */
export interface DeferredKind {
  readonly platform: (typeof backgroundPlatforms)[number]
  readonly idPrefix: string
  readonly actionOf: (call: ModelCall) => string
  /** What the list of tasks shows; a conversation is private. */
  readonly promptOf: (body: JsonObject) => string
  /** What the task keeps of the request: its object shows it again, or the console fills a form with it. */
  readonly requestOf: (body: JsonObject) => JsonObject
  /** The files that an answer has or names. */
  readonly resultsOf: (answer: JsonObject) => readonly StoredResult[]
  readonly objectOf: (row: TaskRow, kept: StoredTaskResponse | null, language: ModelCall['language']) => JsonObject
}

const images: DeferredKind = {
  platform: 'image',
  idPrefix: 'task_',
  actionOf: ({ endpoint }) => (endpoint.mode === 'images' ? 'GENERATE' : 'EDITS'),
  promptOf: ({ prompt }) => (typeof prompt === 'string' ? prompt : ''),
  requestOf: (body) => selectStoredParameters(body, 'prompt'),
  resultsOf: (response) =>
    imagesOf(response).map(({ url }, index) => ({
      kind: 'image',
      ...(url === undefined ? { fileId: String(index) } : { url }),
    })),
  objectOf: imageObject,
}

const responses: DeferredKind = {
  platform: 'response',
  idPrefix: 'resp_',
  actionOf: () => 'RESPOND',
  promptOf: () => '',
  requestOf: shownMembers,
  resultsOf: () => [],
  objectOf: responseObject,
}

/** Returns the kind of a call that its client does not wait for. */
export const deferredKind = ({ endpoint }: ModelCall): DeferredKind =>
  endpoint.deferredBy === 'background' ? responses : images
