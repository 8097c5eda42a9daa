import type { DialectId, JsonObject } from '@tollgate/dialects'

import type { TaskCall, TaskTarget } from '../tasks'

/** Where a batch runs, as the vendor's functions see it. */
export interface BatchTarget extends Pick<TaskTarget, 'baseUrl' | 'other' | 'key'> {
  /** The channel's setting. */
  readonly setting?: Readonly<Record<string, unknown>>
}

/** A call of a batch as it is sent. */
export interface BatchLine {
  /** The gateway's own name for it, with letters, digits, hyphens and underscores. */
  readonly id: string
  /** One of the vendor's `paths`. */
  readonly path: string
  /** JSON, in the vendor's terms. */
  readonly body: string
}

/** What stands around the calls in the body that is sent. */
export interface BatchFrame {
  /** Absent: POST. */
  readonly method?: 'PUT'
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly head: string
  readonly between: string
  readonly tail: string
}

/** A batch as its vendor reports it. */
export interface VendorBatch {
  readonly id: string
  /** That of the gateway; empty where the vendor does not report it. */
  readonly name: string
  /** `refused`: none of its calls is made. `ended`: what is not in its results is not made any more. */
  readonly state: 'running' | 'ended' | 'refused'
  /** How many of its calls have ended, and how many it has. */
  readonly succeeded: number
  readonly failed: number
  readonly total: number
  /** Milliseconds. */
  readonly createdAt: number
  /** The file that its calls came in; empty where they came without one. */
  readonly inputId: string
  /** The files that its results are in. */
  readonly resultIds: readonly string[]
  /** Why it is refused. */
  readonly reason: string
  /** It ended before all calls were made, and where none was its files of results are not there. */
  readonly isCutShort?: boolean
}

/** What became of a call. `undone`: it was not made, as the batch was cancelled or took too long. */
export type BatchLineReport =
  | { readonly id: string; readonly kind: 'served'; readonly body: JsonObject }
  | { readonly id: string; readonly kind: 'failed'; readonly status: number; readonly body: JsonObject }
  | { readonly id: string; readonly kind: 'undone' }

/** How a vendor makes many calls at a lower price within a day. All functions are pure; those that read throw TypeError for another shape. */
export interface BatchApi {
  /** Absent: one. */
  readonly minLines?: number
  readonly maxLines: number
  readonly maxBytes: number
  /** What calls of a dialect are named by in batches; others are not taken. */
  readonly paths: Readonly<Partial<Record<DialectId, string>>>
  readonly writeLine: (line: BatchLine) => string
  /** `name`: that of the gateway for the batch. */
  readonly frame: (name: string) => BatchFrame
  /** Returns whether batches are made with a key. Absent: with each. */
  readonly takesKey?: (key: string) => boolean
  /** Where the calls are sent, in this frame. */
  readonly sendTo: (target: BatchTarget, name: string) => string
  /** Calls are sent as a file, of which a batch is then made. Absent: what is sent is the batch. */
  readonly files?: BatchFiles
  /** The latest batches of the account. */
  readonly list: (target: BatchTarget) => TaskCall
  readonly readList: (body: unknown) => readonly VendorBatch[]
  readonly retrieve: (id: string, target: BatchTarget) => TaskCall
  readonly read: (body: unknown) => VendorBatch
  readonly cancel: (id: string, target: BatchTarget) => TaskCall
  /** Each responds with lines. */
  readonly results: (batch: Pick<VendorBatch, 'id' | 'resultIds'>, target: BatchTarget) => readonly TaskCall[]
  /** `name`: that of the gateway for the batch. */
  readonly readLine: (value: unknown, name: string) => BatchLineReport
  /** Deletes what the vendor keeps of a batch that has ended. */
  readonly remove: (
    batch: Pick<VendorBatch, 'id' | 'inputId' | 'resultIds'>,
    target: BatchTarget,
  ) => readonly TaskCall[]
}

/** How files of calls are found, and made batches. */
export interface BatchFiles {
  readonly readId: (body: unknown, name: string) => string
  /** Absent: what is sent under a name takes the place of what was sent under it before. */
  readonly search?: FileSearch
  readonly create: (batch: NewBatch, target: BatchTarget) => TaskCall
}

interface FileSearch {
  readonly list: (target: BatchTarget) => TaskCall
  /** Returns the ids of those that were sent under this name. */
  readonly find: (body: unknown, name: string) => readonly string[]
}

/** A batch that is made of a file. */
interface NewBatch {
  readonly id: string
  readonly path: string
  readonly name: string
  /** As the vendor names it. */
  readonly model: string
}
