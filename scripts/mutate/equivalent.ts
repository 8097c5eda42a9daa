import type { Fault } from './find-faults'

/** A fault without an effect that a test could see. */
export interface Equivalent {
  readonly file: string
  /** The line, and what becomes of it, as `bun run mutate` prints them. */
  readonly before: string
  readonly after: string
  readonly reason: string
}

/** Faults that are not tried. An entry whose line has changed is an error, so that none outlives its reason. */
const equivalents: readonly Equivalent[] = [
  {
    file: 'gateway/src/billing/ledger/journal/journal-database.ts',
    before: "buffer.fill(' ')",
    after: ';',
    reason: 'The number only grows, so no digit of an earlier one is left behind it.',
  },
  {
    file: 'contract/src/rights/rights.ts',
    before: 'const own = held instanceof Set ? held : new Set(held)',
    after: 'const own = false ? held : new Set(held)',
    reason: 'A copy of a set has the same members: the condition saves the copy.',
  },
  {
    file: 'gateway/src/http/guard.ts',
    before: 'const holder = idHash === null ? null : await sessionHolder(ctx, idHash)',
    after: 'const holder = false ? null : await sessionHolder(ctx, idHash)',
    reason: 'No session has the hash null: the condition saves a query.',
  },
]

const isThis = ({ file, before, after }: Equivalent, fault: Fault) =>
  file === fault.file && before === fault.before && after === fault.after

/** Returns the faults that are tried. @throws Error for an entry of one of these files that matches none of its faults any more. */
export function withoutEquivalent(faults: readonly Fault[], known: readonly Equivalent[] = equivalents): Fault[] {
  const files = new Set(faults.map(({ file }) => file))
  for (const entry of known)
    if (files.has(entry.file) && !faults.some((fault) => isThis(entry, fault)))
      throw new Error(`${entry.file} has no fault any more that turns "${entry.before}" into "${entry.after}"`)
  return faults.filter((fault) => !known.some((entry) => isThis(entry, fault)))
}
