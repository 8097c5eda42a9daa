import type { NewTask } from '../../tasks/task-store'
import type { TaskTerms } from '../../tasks/task-terms'
import type { Caller, IncomingCall } from '../call'

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
})
