import { Lab } from '../lab'
import { measure, warmUp, type Measurement } from '../measure'
import { meansOf } from '../means'
import type { Scenario } from '../scenarios'
import { tablesOf } from '../tables'
import type { Starter } from '../targets'
import { everyTarget, figureName, type Figures, type Part, type Settings } from './part'

export interface MatrixOptions extends Pick<Part, 'name' | 'title' | 'about'> {
  readonly scenarios: readonly Scenario[]
  /** How long the answers are. Default 40. */
  readonly tokens?: number
  /** Default: all there are. */
  readonly targets?: (settings: Settings) => readonly Starter[]
}

/** Every target under every scenario in turns: each round measures each once. */
export const matrix = ({ scenarios, tokens, targets = everyTarget, ...part }: MatrixOptions): Part => ({
  ...part,
  scenarios: scenarios.map(({ name }) => name),
  async run(settings) {
    await using lab = await Lab.open(settings.cores, targets(settings), tokens)
    const selected = scenarios.filter(({ name }) => settings.isSelected(name))
    await warmUp(lab, selected)
    const measurements: Measurement[] = []
    for (let round = 1; round <= settings.rounds; round += 1) {
      for (const scenario of selected) {
        for (const target of lab.targets) {
          // What does not translate was measured with the same request among the others; two of them frame the table.
          if (scenario.client && target.name === 'Portkey') continue
          measurements.push(await measure(lab, target, scenario, durationOf(scenario, settings)))
        }
      }
    }
    const verdict = await lab.close()
    const means = meansOf(measurements)
    return { text: tablesOf(selected, means), figures: figuresOf(means), verdict, measurements }
  },
})

/** A slow stream needs several of its lengths. */
const durationOf = ({ gapMs = 0 }: Scenario, { milliseconds }: Settings): number =>
  gapMs >= 20 ? Math.max(milliseconds, gapMs * 100) : milliseconds

const figuresOf = (means: readonly Measurement[]): Figures =>
  Object.fromEntries(
    means.flatMap(({ target, scenario, ...numbers }) =>
      Object.entries(numbers)
        .filter((entry): entry is [string, number] => entry[1] !== null)
        .map(([what, value]) => [figureName(scenario, target, what), value]),
    ),
  )
