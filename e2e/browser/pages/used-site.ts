import { startInProcess } from '../../gateway-in-process'
import { leftOpen } from '../../../gateway/test/left-open'
import { signIn, type Session } from '../session'
import { anEmptySiteAt } from '../site'
import { furnish, root, user, type Furniture } from './furnish'
import { age, type Past } from './past'

/** A gateway that has been in use for a week, and one before its setup. */
export interface UsedSite extends Furniture, Past, AsyncDisposable {
  readonly url: string
  readonly emptyUrl: string
  readonly sessions: Readonly<Record<'root' | 'user', Session>>
}

/** Log entries of the shared site: more than a page of fifty. */
const sharedCalls = 80
let shared: Promise<UsedSite> | undefined

/** Returns the site that all tests of a run share; they may only add data under names of their own. */
export function theUsedSite(): Promise<UsedSite> {
  shared ??= aUsedSite(sharedCalls).then((site) => {
    leftOpen.push(async () => site[Symbol.asyncDispose]())
    return site
  })
  return shared
}

/** Creates a site with this many calls in its log. By default its gateway runs within this process. */
export async function aUsedSite(calls: number, start: typeof startInProcess = startInProcess): Promise<UsedSite> {
  const empty = await anEmptySiteAt()
  const young = await startInProcess()
  const furniture = await furnish(young, empty.simulator.url, calls)
  await young.stop()
  const past = age(young.dataDir, furniture.userId)
  const gateway = await start({ dataDir: young.dataDir })
  return {
    ...furniture,
    ...past,
    url: gateway.url,
    emptyUrl: empty.url,
    sessions: { root: await signIn(gateway.url, root), user: await signIn(gateway.url, user) },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await empty[Symbol.asyncDispose]()
    },
  }
}
