import type { Node } from 'oxc-parser'

import { parse, walk } from '../mutate/syntax'

/** An `expect` that a test does not come to where a condition does not hold. */
export interface ConditionalExpect {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/**
 * Returns each `expect` in one branch of a test whose other branch has none. Loops and properties are left out: what does not hold for one of
 * their values holds for another.
 */
export function conditionalExpects(file: string, text: string): ConditionalExpect[] {
  const found: ConditionalExpect[] = []
  const program = parse(file, text)
  if (!program) throw new Error(`${file} does not parse`)
  const asserts = (node: Node | null) => node !== null && /\bexpect\b/.test(text.slice(node.start, node.end))
  walk(program, (node, around) => {
    if (!isExpect(node) || !isConditional(node, around, asserts)) return
    const before = text.slice(0, node.start)
    const line = before.split('\n').length
    found.push({ line, text: text.split('\n')[line - 1]?.trim() ?? '' })
  })
  return found
}

const isExpect = (node: Node): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'expect'

/** Looks from an `expect` outwards to the test that it belongs to. */
function isConditional(node: Node, around: readonly Node[], asserts: (node: Node | null) => boolean): boolean {
  let inner = node
  let hasCondition = false
  for (const [at, outer] of around.entries()) {
    if (isOneOfTwo(outer, inner, asserts)) hasCondition = true
    if (isLoop(outer)) hasCondition = false
    if (isFunction(outer)) {
      if (isTest(around[at + 1])) return hasCondition
      hasCondition = false
    }
    inner = outer
  }
  return false
}

/** Whether a part of a statement runs under a condition, and what runs otherwise asserts nothing. */
function isOneOfTwo(node: Node, part: Node, asserts: (node: Node | null) => boolean): boolean {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      if (part === node.test || (node.alternate === null && isLast(node.consequent))) return false
      return !asserts(node.consequent) || !asserts(node.alternate)
    case 'LogicalExpression':
      return part === node.right
    case 'TryStatement':
      return part === node.handler && !asserts(node.block)
    default:
      return false
  }
}

/** What follows runs only where this did not. */
const isLast = (node: Node): boolean =>
  node.type === 'ReturnStatement' ||
  node.type === 'ContinueStatement' ||
  (node.type === 'BlockStatement' && node.body.some(isLast))

const isLoop = ({ type }: Node): boolean => /^(?:For|While|DoWhile)/.test(type)

const isFunction = ({ type }: Node): boolean => type === 'ArrowFunctionExpression' || type === 'FunctionExpression'

/** Whether a node calls `test`, `test.each(…)`, `once` and the like. */
function isTest(node: Node | undefined): boolean {
  let callee = node
  while (callee?.type === 'CallExpression' || callee?.type === 'MemberExpression')
    callee = callee.type === 'CallExpression' ? callee.callee : callee.object
  return node?.type === 'CallExpression' && callee?.type === 'Identifier' && /^(?:test|once|it)$/.test(callee.name)
}
