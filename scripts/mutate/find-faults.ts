import { rules, type Edit, type FaultKind } from './rules'
import { parse, walk } from './syntax'

/** A deliberate fault of one kind, at one place. */
export interface Fault extends Edit {
  readonly kind: FaultKind
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** The line, and what becomes of it, without the space around them. */
  readonly before: string
  readonly after: string
}

/** Returns the faults that can be made in a file, in the order of its lines. @throws Error where it does not parse. */
export function findFaults(file: string, text: string): Fault[] {
  const program = parse(file, text)
  if (!program) throw new Error(`${file} does not parse`)
  const textOf = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
  const faults = new Map<string, Fault>()
  walk(program, (node, around) => {
    for (const kind of kinds)
      for (const edit of rules[kind]({ node, around, textOf })) {
        const change = `${edit.start} ${edit.end} ${edit.text}`
        if (edit.text !== textOf(edit) && !faults.has(change)) faults.set(change, describe({ kind, file, text, edit }))
      }
  })
  return [...faults.values()]
    .filter((fault) => parse(file, applyEdit(fault, text)))
    .sort((one, other) => one.start - other.start)
}

/** Returns the text with the fault in it. */
export const applyEdit = ({ start, end, text: replacement }: Edit, text: string): string =>
  text.slice(0, start) + replacement + text.slice(end)

const kinds = Object.keys(rules) as FaultKind[]

function describe({ kind, file, text, edit }: { kind: FaultKind; file: string; text: string; edit: Edit }): Fault {
  const lineStart = text.lastIndexOf('\n', edit.start - 1) + 1
  const lineEnd = ((end) => (end < 0 ? text.length : end))(text.indexOf('\n', edit.end))
  return {
    ...edit,
    kind,
    file,
    line: text.slice(0, edit.start).split('\n').length,
    before: onOneLine(text.slice(lineStart, lineEnd)),
    after: onOneLine(text.slice(lineStart, edit.start) + edit.text + text.slice(edit.end, lineEnd)),
  }
}

const onOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ')
