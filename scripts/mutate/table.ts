import { dirname } from 'node:path'

import type { Fault } from './find-faults'
import type { Verdict } from './try-faults'

/** Returns the line of a fault: where it is, its kind, and the line with it. */
export const faultLine = ({ file, line, kind, before, after }: Fault): string =>
  `${file}:${line}  ${kind}\n      ${before}\n   => ${after}`

export const verdictLine = ({ fault, result, by }: Verdict): string =>
  result === 'caught'
    ? `caught     ${fault.file}:${fault.line}  ${fault.kind}  by ${by ?? ''}`
    : `${result.padEnd(9)}  ${faultLine(fault)}`

/** Returns the faults that no test noticed, and how many of each folder were caught. */
export function resultTable(verdicts: readonly Verdict[]): string[] {
  const missed = verdicts
    .filter(({ result }) => result !== 'caught')
    .sort((one, other) => byPlace(one.fault, other.fault))
  const folders = [...Map.groupBy(verdicts, ({ fault }) => dirname(fault.file))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const lines = folders.length > 1 ? [...folders, ['all', verdicts] as const] : folders
  return [
    ...(missed.length > 0 ? ['', 'Not caught', ...missed.map(verdictLine)] : []),
    '',
    'caught  survived  unreached',
    ...lines.map(([name, ofFolder]) => {
      const count = (result: Verdict['result']) => ofFolder.filter((verdict) => verdict.result === result).length
      const share = `${Math.floor((100 * count('caught')) / ofFolder.length)} %`
      return `${String(count('caught')).padStart(6)}  ${String(count('survived')).padStart(8)}  ${String(count('unreached')).padStart(9)}  ${share.padStart(5)}  ${name}`
    }),
  ]
}

const byPlace = (one: Fault, other: Fault): number =>
  one.file === other.file ? one.start - other.start : one.file < other.file ? -1 : 1
