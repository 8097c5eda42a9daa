import { Console } from '../../e2e/console'
import { Lab } from '../lab'
import { load } from '../load'
import { requestFor } from '../measure'
import { profiles } from '../profiles'
import { table } from '../tables'
import { benchAdmin, startTollgate } from '../tollgate'
import { connections, measureInTurns, turnMs, turns, type Kind } from './in-turns'
import { figureName, type Part } from './part'

export const responseCache: Part = {
  name: 'response-cache',
  title: 'Response cache',
  about:
    `The same small call at ${connections} connections through one gateway, with a key that gets the stored response, at the full price, and one that goes to the upstream each time, ` +
    `in ${turns} turns of ${turnMs} ms each, each as often before the other as behind it. The difference is the median of those of the turns.`,
  async run({ cores }) {
    await using lab = await Lab.open(cores, [(ground) => startTollgate(ground)])
    const [target] = lab.targets
    if (!target) throw new Error('The gateway is missing')
    const key = await cachingKey(target.port)
    const driveWith = (request: Buffer, milliseconds: number, maxCalls = Infinity) =>
      load({ port: target.port, connections, request, milliseconds, maxCalls })
    const plain = requestFor(target, { isStream: false })
    const cached = requestFor({ ...target, key }, { isStream: false })
    await lab.count(target, () =>
      load({ port: target.port, connections: 1, request: cached, milliseconds: Infinity, maxCalls: 1 }),
    )
    const kinds: readonly [Kind, Kind] = [
      {
        name: 'from the upstream',
        drive: (milliseconds, maxCalls) => lab.count(target, () => driveWith(plain, milliseconds, maxCalls)),
      },
      {
        name: 'from the cache',
        drive: (milliseconds, maxCalls) => lab.countReplayed(target, () => driveWith(cached, milliseconds, maxCalls)),
      },
    ]
    const { rows, difference } = await measureInTurns(target, kinds)
    return {
      text: table(['CPU µs/call', 'p50'], [...rows, ['difference', difference.toFixed(1)]]),
      figures: { [figureName('response-cache', 'Tollgate', 'difference')]: difference },
      verdict: await lab.close(),
    }
  },
}

async function cachingKey(port: number): Promise<string> {
  const admin = await Console.signIn(`http://127.0.0.1:${port}`, benchAdmin)
  await admin.setOptions({ ResponseCacheEnabled: true, ResponseCachePriceFactor: 1 })
  return admin.addToken({ name: 'cached', ...profiles.governed.token, response_cache: 'on' })
}
