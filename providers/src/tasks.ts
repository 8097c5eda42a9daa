import type { JsonObject } from '@tollgate/dialects'

/** A vendor's way, or a function for one whose models or keys need different ways. It returns the same object for the same way. */
export type TaskApiFor<Request> =
  | TaskApi<Request>
  | ((target: Pick<TaskTarget, 'model' | 'key' | 'other'>) => TaskApi<Request> | undefined)

/** Work in the words of the platform that the client speaks: an action with its documented fields. */
export interface ActionRequest {
  /** In capitals: `IMAGINE`, `MUSIC`. */
  readonly action: string
  readonly body: JsonObject
  /** The task that this one goes on from. */
  readonly origin?: OriginTask
}

/** What a vendor needs of the task that another one goes on from. */
export interface OriginTask {
  readonly vendorId: string
  /** As the vendor's functions returned it. */
  readonly data: JsonObject
}

/** Where a task runs, as the vendor's functions see it; what it shares with `Target` means the same. */
export interface TaskTarget {
  readonly baseUrl: string
  readonly key: string
  /** As the upstream names it. */
  readonly model: string
  readonly other: string
  readonly site: { readonly name: string; readonly url: string }
  /** For tokens with a time in them. */
  readonly nowMs: number
  /** Where the vendor may report that something happened; null where the site has no public address. */
  readonly callbackUrl: string | null
  /** The gateway's name for the task that is submitted, unlike any other; empty where no task is submitted. */
  readonly name: string
}

/** How a vendor runs work that ends later. All functions are pure. */
export interface TaskApi<Request> extends TaskProtocol {
  /** Writes a submission in the vendor's terms. @throws TypeError when the vendor cannot express it; the message says why to the client. */
  readonly submit: (request: Request, target: TaskTarget) => TaskCall
}

/** What is the same for all kinds of tasks. */
export interface TaskProtocol {
  /** Reads the reply to a submission, whatever its status: some vendors refuse with 200, some accept with a code in the body. */
  readonly readSubmission: (reply: TaskReply, call: TaskCall) => Submission
  /** Returns the id by which the vendor finds a submission that bears the target's `name`. Absent: it keeps no names. */
  readonly namedId?: (call: TaskCall, target: Pick<TaskTarget, 'name'>) => string
  /** Asks how tasks are doing; at most `batch` of them, all of one key. */
  readonly fetch: (vendorIds: readonly string[], target: TaskTarget) => TaskCall
  /** Reads the reply with status 200. A task that is not in it is unknown to the vendor. @throws TypeError for a reply of another shape. */
  readonly readReports: (reply: TaskReply, vendorIds: readonly string[]) => readonly TaskReport[]
  /** Stops a task that is not charged when it is stopped. Absent: the vendor cannot. */
  readonly cancel?: (vendorId: string, target: TaskTarget) => TaskCall
  /** Asks for the seed of a finished picture. The reply is in midjourney-proxy's form. */
  readonly seed?: (vendorId: string, target: TaskTarget) => TaskCall
  /** How a result is read that has no address a client may see. */
  readonly content?: ResultContent
  /**
   * What proves who calls, where that is not the provider's own `auth` and `authorize`. A signature over the body is a header of the call
   * itself.
   */
  readonly auth?: (target: TaskTarget) => Record<string, string>
  /** How many tasks one call may ask for. */
  readonly batch: number
  /** Milliseconds between two questions about a task; the last repeats. */
  readonly pollMs: readonly number[]
  /** When a task that has not ended is given up. */
  readonly deadlineMs: number
}

/** A request to a vendor. The gateway adds what proves who calls. */
export interface TaskCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; as a form where `isForm` says so, in which files are `FormFile`s. */
  readonly body?: JsonObject
  readonly isForm?: boolean
}

export interface TaskReply {
  readonly status: number
  /** Parsed JSON; null where it is not JSON. */
  readonly body: unknown
}

export type Submission = Accepted | Refused

export interface Accepted {
  readonly kind: 'accepted'
  /** Opaque: it may hold all that `fetch` needs to find the task. */
  readonly vendorId: string
  /** What the reply says of the task already: it may have ended. */
  readonly report?: Omit<TaskReport, 'vendorId'>
  /** What the platform's own answer to the client shows, kept in the task's data. */
  readonly data?: JsonObject
}

export interface Refused {
  readonly kind: 'refused'
  /** Decides about retries, cooldowns and disabling as the status of any failed call does. */
  readonly status: number
  readonly code: string
  readonly message: string
}

/** How a task is doing. A later report of an earlier state is disregarded once the task has ended. */
export interface TaskReport {
  readonly vendorId: string
  /** `modal`: waits for more input. `unknown`: the vendor does not know the task (any more). */
  readonly status: 'submitted' | 'queued' | 'in-progress' | 'modal' | 'success' | 'failure' | 'cancelled' | 'unknown'
  /** Percent; null where the vendor does not say. */
  readonly progress: number | null
  readonly failReason?: string
  readonly results?: readonly TaskResult[]
  /** What really came; charged by this. What is absent is taken as it was accepted. */
  readonly usage?: TaskUsage
  /** What the platform's own answers show: buttons, songs. Laid over the task's data. */
  readonly data?: JsonObject
}

/** One result. Exactly one of `url` and `fileId` says where it is. */
export interface TaskResult {
  readonly kind: 'image' | 'video' | 'audio'
  readonly url?: string
  /** How `content` finds it. */
  readonly fileId?: string
  /** The address holds a key, or is refused without one: no client sees it. */
  readonly isSecret?: boolean
}

/** What a task used, or may use. */
export interface TaskUsage {
  readonly seconds?: number
  readonly images?: number
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** As the modes of prices name them: `1280x720` or `720p`, `high`. */
  readonly size?: string
  readonly quality?: string
}

/** How the bytes of a result are found. */
export interface ResultContent {
  /** Asks for the result, or for where it is. */
  readonly call: (result: TaskResult, task: { readonly vendorId: string }, target: TaskTarget) => TaskCall
  /** Reads the reply where it is not the result itself. @throws TypeError for a reply of another shape. */
  readonly read?: (reply: TaskReply, result: TaskResult) => ContentSource
}

export type ContentSource =
  | { readonly url: string; readonly needsKey?: boolean }
  | { readonly base64: string; readonly contentType: string }
