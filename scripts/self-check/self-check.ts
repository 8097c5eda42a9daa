import type { Provider } from '../../providers/src/provider'
import { describedBy, fixtureOf, withModes } from '../../providers/src/vendors/fixture'
import { accountOf, type Environment } from '../vendor-calls/account'
import { checkVendor, type CallCheck } from './check-vendor'

/** What a run found. */
export interface SelfCheck {
  /** A line for each vendor and each call. */
  readonly lines: readonly string[]
  /** Every call was understood. */
  readonly isGood: boolean
}

/** Calls each vendor whose key is in the environment, and names the others. */
export async function selfCheck(all: readonly Provider[], environment: Environment): Promise<SelfCheck> {
  const chatting = withModes(all).filter(({ modes }) => modes.chat !== undefined)
  const reports = await Promise.all(chatting.map((provider) => reportOf(provider, environment)))
  return { lines: reports.flatMap(({ lines }) => lines), isGood: reports.every(({ isGood }) => isGood) }
}

async function reportOf(provider: Provider, environment: Environment): Promise<SelfCheck> {
  const account = accountOf(provider, environment)
  if ('missing' in account) return { lines: [`${provider.id}: skipped, ${account.missing}`], isGood: true }
  if (describedBy(provider, { mode: 'chat', ...account }).createMessageReader)
    return { lines: [`${provider.id}: skipped, it is called over a WebSocket`], isGood: true }
  const checks = await checkVendor(provider, account, await fixtureOf(provider))
  return {
    lines: checks.flatMap((check) => linesOf(provider.id, check)),
    isGood: checks.every(({ faults }) => faults.length === 0),
  }
}

const maxNotes = 8

function linesOf(id: string, { name, faults, notes }: CallCheck): string[] {
  const shown = notes.length > maxNotes ? [...notes.slice(0, maxNotes), `${notes.length - maxNotes} more`] : notes
  const note = shown.length === 0 ? '' : ` (${shown.join('; ')})`
  if (faults.length === 0) return [`${id}: ${name} ok${note}`]
  return [`${id}: ${name} FAILED${note}`, ...faults.map((fault) => `  ${fault}`)]
}
