import { barTable } from './bars'
import type { Findings, Part } from './parts/part'

export interface Outcome {
  readonly part: Part
  readonly findings: Findings
}

/** Everything a run found, as a document. */
export function reportOf(facts: readonly string[], outcomes: readonly Outcome[]): string {
  const figures = Object.assign({}, ...outcomes.map(({ findings }) => findings.figures))
  return [
    '# Results',
    `Written by \`bun run bench\`; [README.md](README.md) explains it.`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    verdictOf(outcomes),
    '## Bars',
    barTable(figures),
    ...outcomes.flatMap(({ part, findings }) => [`## ${part.title}`, part.about, ...wrongOf(findings), findings.text]),
  ].join('\n\n')
}

function verdictOf(outcomes: readonly Outcome[]): string {
  const calls = outcomes.reduce((sum, { findings }) => sum + findings.verdict.calls, 0)
  const isVoid = outcomes.some(({ findings }) => findings.verdict.wrong.length > 0)
  const through = `${calls.toLocaleString('en')} calls went through Tollgate.`
  return isVoid
    ? `**VOID.** ${through} Its books do not equal what the upstream served, or a part broke off: see below.`
    : `${through} Its books equal what the upstream served, to the unit; a run where they do not is void.`
}

const wrongOf = ({ verdict }: Findings): string[] =>
  verdict.wrong.length === 0 ? [] : [`**VOID**: ${verdict.wrong.join('; ')}`]
