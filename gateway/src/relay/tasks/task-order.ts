import type { JsonObject } from '@tollgate/dialects'
import type {
  ActionPlatform,
  OriginTask,
  Provider,
  TaskCall,
  TaskPlatform,
  TaskTarget,
  TaskUsage,
} from '@tollgate/providers'

import type { TaskRow } from '../../platform/store/tables'
import { readObject, type NewTask } from '../../tasks/task-store'
import type { TaskTerms } from '../../tasks/task-terms'
import type { Caller, IncomingCall } from '../call'

/** A submission, independent of the platform that it came through. */
export interface TaskOrder {
  readonly platform: TaskPlatform
  /** In capitals: `IMAGINE`, `MUSIC`. */
  readonly action: string
  /** As the caller names it; decides channels and price. */
  readonly model: string
  /** The model is the caller's choice. Elsewhere it follows from what is to be done. */
  readonly isModelChosen?: true
  /** Shown in the list of tasks; empty where there is none. */
  readonly prompt: string
  /** What is checked for forbidden words. Absent: the prompt alone. */
  readonly texts?: readonly string[]
  /** The parts of the request that the platform's responses repeat. */
  readonly request: JsonObject
  /** Returns what a vendor would accept: what it does, and is charged for, at most. */
  readonly accepts: (provider: Provider, target: TaskTarget) => TaskUsage
  /** Writes the submission for a vendor. @throws TypeError when it cannot express it; the message tells the client why. */
  readonly write: (provider: Provider, target: TaskTarget) => TaskCall
  /** The address to call when the task ends, through the guard for addresses that users name. */
  readonly webhook?: string
  /** The task that this one goes on from, on whose channel and key it must run. */
  readonly origin?: TaskRow
  /** It costs nothing, whatever the price says: it only opens a dialog. */
  readonly isFree?: boolean
}

/** Returns what a vendor needs of the task that an order goes on from. */
export const originTask = ({ vendor_id: vendorId, data }: TaskRow): OriginTask => ({ vendorId, data: readObject(data) })

interface Action {
  readonly action: string
  readonly body: JsonObject
  readonly origin: TaskRow | null
}

/** Writes an action as the client wrote it. @throws TypeError for a vendor that does not run tasks of the platform. */
export function writeAction(
  platform: ActionPlatform,
  { action, body, origin }: Action,
  { tasks }: Provider,
  target: TaskTarget,
): TaskCall {
  const offered = tasks?.[platform]
  const api = typeof offered === 'function' ? offered(target) : offered
  if (!api) throw new TypeError(`This vendor does not run tasks of ${platform}`)
  return api.submit({ action, body, ...(origin && { origin: originTask(origin) }) }, target)
}

/** Returns where a client wants to be notified; empty where it may not be called: only https addresses are. */
export const webhookOf = (text: unknown): string =>
  typeof text === 'string' && text.length <= maxWebhookLength && /^https:\/\//i.test(text) && URL.canParse(text)
    ? text
    : ''

const maxWebhookLength = 2048

const maxPathLength = 200

/** Returns the members of a new task that name its submitter. */
export const submitterOf = ({
  account,
  key,
  tokenName,
  group,
}: Caller): Pick<NewTask, 'userId' | 'username' | 'tokenId' | 'tokenName' | 'group'> => ({
  userId: account.id,
  username: account.username,
  tokenId: key?.id ?? 0,
  tokenName,
  group,
})

/** Returns the terms of a task before anything is priced, accepted or tried. */
export const initialTerms = (
  { clientIp, path }: Pick<IncomingCall, 'clientIp' | 'path'>,
  { account }: Caller,
  webhook: string,
): TaskTerms => ({
  sale: null,
  cost: null,
  accepted: {},
  clientIp: account.isIpLogged ? clientIp : '',
  endpoint: path.slice(0, maxPathLength),
  attempts: [],
  webhook,
  dropped: '',
})
