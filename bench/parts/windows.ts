import { tokenRoutes, windowRoutes } from '@tollgate/contract'

import { Console } from '../../e2e/console'
import { Lab } from '../lab'
import { load } from '../load'
import { requestFor } from '../measure'
import { profiles } from '../profiles'
import { table } from '../tables'
import { benchAdmin, startTollgate } from '../tollgate'
import { connections, measureInTurns, turnMs, turns, type Kind } from './in-turns'
import { figureName, type Part } from './part'

/** More than any run uses. */
const plenty = 1_000_000_000_000
const window = (name: string, fields: object) => windowRoutes.WindowSettings.parse({ name, limit: plenty, ...fields })
const fourWindows = [
  window('Requests a minute', { measure: 'requests', span: 'minute' }),
  window('Tokens of five hours', { measure: 'tokens', span: 'five_hours' }),
  window('Money a day', { measure: 'quota', span: 'day' }),
  window('Money a month', { measure: 'quota', span: 'month' }),
]

export const windows: Part = {
  name: 'windows',
  title: 'Limits of a key',
  about:
    `Small calls at ${connections} connections through one gateway, with a key that has four limits (calls a minute, tokens of five hours, quota a day and a month) and one that has ` +
    `none, in ${turns} turns of ${turnMs} ms each, each as often before the other as behind it. The difference is the median of those of the turns.`,
  async run({ cores }) {
    await using lab = await Lab.open(cores, [(ground) => startTollgate(ground)])
    const [target] = lab.targets
    if (!target) throw new Error('The gateway is missing')
    const key = await limitedKey(target.port)
    const kindOf = (name: string, request: Buffer): Kind => ({
      name,
      drive: (milliseconds, maxCalls = Infinity) =>
        lab.count(target, () => load({ port: target.port, connections, request, milliseconds, maxCalls })),
    })
    const { rows, difference } = await measureInTurns(target, [
      kindOf('no limits', requestFor(target, { isStream: false })),
      kindOf('four limits', requestFor({ ...target, key }, { isStream: false })),
    ])
    return {
      text: table(['CPU µs/call', 'p50'], [...rows, ['difference', difference.toFixed(1)]]),
      figures: { [figureName('windows', 'Tollgate', 'difference')]: difference },
      verdict: await lab.close(),
    }
  },
}

async function limitedKey(port: number): Promise<string> {
  const admin = await Console.signIn(`http://127.0.0.1:${port}`, benchAdmin)
  const body = { name: 'limited', unlimited_quota: true, expired_time: -1, ...profiles.governed.token }
  const { id, key } = await admin.call(tokenRoutes.createToken, { body })
  await admin.call(windowRoutes.setKeyWindows, { body: { token_id: id, windows: fourWindows } })
  return `sk-${key}`
}
