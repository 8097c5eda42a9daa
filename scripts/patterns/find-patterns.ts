import { parseSync, Visitor } from 'oxc-parser'

/** A regular expression in a source. */
export interface Pattern {
  /** The literal, or the expression that builds it. */
  readonly text: string
  /** Null where it is built at run time, so that it cannot be judged from the source. */
  readonly literal: { readonly source: string; readonly flags: string } | null
  readonly line: number
}

/** Returns the regular expressions of a TypeScript source, in order. */
export function findPatterns(path: string, text: string): Pattern[] {
  const found: Pattern[] = []
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const builds = ({ callee, start, end }: { callee: { type: string }; start: number; end: number }) => {
    if ('name' in callee && callee.name === 'RegExp')
      found.push({ text: text.slice(start, end), literal: null, line: lineOf(start) })
  }
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern: source, flags } = node.regex
      found.push({ text: `/${source}/${flags}`, literal: { source, flags }, line: lineOf(node.start) })
    },
    NewExpression: builds,
    CallExpression: builds,
  }).visit(parseSync(path, text).program)
  return found
}
