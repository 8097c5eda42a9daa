import { startGateway } from '../../e2e/gateway'
import { medianOf } from '../quantile'
import { table } from '../tables'
import { startedProgram } from '../tollgate'
import { figureName, type Part } from './part'

const starts = 7

export const start: Part = {
  name: 'start',
  title: 'Start',
  about:
    'From the command that `bun start` becomes to the first answer of `/health/ready`, on an empty data folder and the one core. It is asked every 20 ms.',
  async run({ cores }) {
    const program = await startedProgram()
    const seconds: number[] = []
    for (let turn = 0; turn < starts; turn += 1) {
      const startedAt = performance.now()
      await using _gateway = await startGateway({ launcher: cores.launcher, program })
      seconds.push((performance.now() - startedAt) / 1000)
    }
    const median = medianOf(seconds)
    return {
      text: table(
        [`${starts} starts`, 'fastest s', 'median s', 'slowest s'],
        [['Tollgate', ...[Math.min(...seconds), median, Math.max(...seconds)].map((one) => one.toFixed(2))]],
      ),
      figures: { [figureName('start', 'Tollgate', 'seconds')]: median },
      verdict: { calls: 0, wrong: [] },
    }
  },
}
