import type { CallExpression, Node } from 'oxc-parser'

import { calleeOf, isPlain, isText, nameOf } from './syntax'

/** A change of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A node of a module, with what a rule has to know about it. */
interface Place {
  readonly node: Node
  /** The nodes around it, nearest first. */
  readonly around: readonly Node[]
  readonly textOf: (range: { readonly start: number; readonly end: number }) => string
}

type Rule = (place: Place) => Edit[]

const replace = ({ start, end }: Node, text: string): Edit => ({ start, end, text })

const opposites: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
}

const signs: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
}

/** Replaces the operator between two operands. */
function changeOperator({ node, textOf }: Place, changes: Readonly<Record<string, string>>): Edit[] {
  if (node.type !== 'BinaryExpression' && node.type !== 'AssignmentExpression') return []
  const text = changes[node.operator]
  const between = { start: node.left.end, end: node.right.start }
  const start = between.start + textOf(between).indexOf(node.operator)
  return text === undefined ? [] : [{ start, end: start + node.operator.length, text }]
}

const comparison: Rule = (place) => (place.node.type === 'BinaryExpression' ? changeOperator(place, opposites) : [])

const sign: Rule = (place) => {
  const { node, textOf } = place
  if (node.type === 'UpdateExpression') {
    const changed = signs[node.operator] ?? node.operator
    return [replace(node, node.prefix ? changed + textOf(node.argument) : textOf(node.argument) + changed)]
  }
  if (node.type === 'UnaryExpression' && node.operator === '-') return [replace(node, textOf(node.argument))]
  if (node.type === 'BinaryExpression' && (isText(node) || isText(node.left) || isText(node.right))) return []
  if (node.type === 'AssignmentExpression' && isText(node.right)) return []
  return changeOperator(place, signs)
}

/** Larger ones are sizes and times, unless they are compared or computed with. */
const maxIndex = 10

const offByOne: Rule = ({ node, around: [parent] }) => {
  if (node.type !== 'Literal' || typeof node.value !== 'number' || !Number.isSafeInteger(node.value)) return []
  const isComputed = parent?.type === 'BinaryExpression'
  const isIndex =
    parent?.type === 'CallExpression' || parent?.type === 'MemberExpression' || parent?.type === 'VariableDeclarator'
  return isComputed || (isIndex && node.value <= maxIndex) ? [replace(node, String(node.value + 1))] : []
}

/** Calls that narrow what the object before them lets through. */
const narrowing = /^(?:where|whereRef|having|filter|refine|min|max|int|nonnegative|positive|limit)$/

const droppedCondition: Rule = ({ node, textOf }) => {
  if (node.type === 'LogicalExpression' && node.operator !== '??')
    return [replace(node, textOf(node.left)), replace(node, textOf(node.right))]
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression')
    return [replace(node.test, 'true'), replace(node.test, 'false')]
  const isNarrowing = node.type === 'CallExpression' && narrowing.test(calleeOf(node) ?? '') && !isOfMath(node)
  return isNarrowing && node.callee.type === 'MemberExpression' ? [replace(node, textOf(node.callee.object))] : []
}

/** `Math.min` narrows nothing, and takes its arguments in any order. */
const isOfMath = ({ callee }: CallExpression): boolean =>
  callee.type === 'MemberExpression' && nameOf(callee.object) === 'Math'

const droppedAwait: Rule = ({ node, textOf }) =>
  node.type === 'AwaitExpression' ? [replace(node, textOf(node.argument))] : []

const swappedValues: Rule = ({ node, textOf }) => {
  if (node.type === 'CallExpression' && !isOfMath(node))
    return pairsOf(node.arguments).flatMap(([one, other]) =>
      isPlain(one) && isPlain(other) ? [swap(one, other, textOf)] : [],
    )
  if (node.type !== 'ObjectExpression') return []
  return pairsOf(node.properties).flatMap(([one, other]) => {
    if (one.type !== 'Property' || other.type !== 'Property' || one.computed || other.computed) return []
    if (!isPlain(one.value) || !isPlain(other.value) || textOf(one.value) === textOf(other.value)) return []
    const between = textOf({ start: one.end, end: other.start })
    const text = `${textOf(one.key)}: ${textOf(other.value)}${between}${textOf(other.key)}: ${textOf(one.value)}`
    return [{ start: one.start, end: other.end, text }]
  })
}

function swap(one: Node, other: Node, textOf: Place['textOf']): Edit {
  const between = textOf({ start: one.end, end: other.start })
  return { start: one.start, end: other.end, text: textOf(other) + between + textOf(one) }
}

/** Neighbours: the first and second, the third and fourth, and so on. */
function pairsOf(nodes: readonly Node[]): [Node, Node][] {
  return nodes.flatMap((one, index) => {
    const other = nodes[index + 1]
    return index % 2 === 0 && other ? [[one, other] satisfies [Node, Node]] : []
  })
}

/** Calls that ask whether a caller may do something. */
const checksRight = /^(?:may|can)[A-Z](?!.*Parse)|^holdsAny$|^isWithinReach$|^requireGrant$/
const openAccess = new Set(['guest', 'optional'])

const missingRight: Rule = ({ node, textOf }) => {
  if (node.type === 'Property' && nameOf(node.key) === 'access' && !openAccess.has(literalText(node.value)))
    return [replace(node.value, literalText(node.value) === 'user' ? "'guest'" : "'user'")]
  const isCheck = node.type === 'CallExpression' && checksRight.test(calleeOf(node) ?? '')
  return isCheck
    ? [replace(node, calleeOf(node)?.startsWith('require') ? `void (${textOf(node.callee)})` : 'true')]
    : []
}

const literalText = (node: Node): string =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''

/** Calls after which something is free, gone or over. */
const releases =
  /^(?:release|giveBack|takeBack|return|free|close|clear|dispose|destroy|stop|end|abort|cancel|remove|delete|unlock|unsubscribe|unref|off|drop|detach|leave|forget|settle|rollback)(?:$|[A-Z])/

const missingRelease: Rule = ({ node, textOf }) => {
  if (node.type === 'ExpressionStatement' && releases.test(calleeOf(node.expression) ?? '')) return [replace(node, ';')]
  if (node.type === 'TryStatement' && node.finalizer) return [replace(node.finalizer, '{}')]
  if (node.type !== 'VariableDeclaration' || !node.kind.endsWith('using')) return []
  return [{ start: node.start, end: node.start + node.kind.length, text: 'const' }].filter(
    (edit) => textOf(edit) === node.kind,
  )
}

const isLogged = (call: CallExpression): boolean =>
  call.callee.type === 'MemberExpression' && /^(?:log|logger|console)$/.test(nameOf(lastOf(call.callee.object)) ?? '')
const lastOf = (node: Node): Node => (node.type === 'MemberExpression' ? node.property : node)

/** What an element looks like and how it is told from others. */
const looks = /^(?:key|ref|class(?:Name|Names)|style|styles|size|variant|color|gap|mt|mb|p|px|py|w|h|maw|miw|c|fz|fw)$/

const droppedStatement: Rule = ({ node, around: [parent] }) => {
  if (node.type === 'ExpressionStatement') {
    const { expression } = node
    if (expression.type === 'CallExpression' && (expression.callee.type === 'Super' || isLogged(expression))) return []
    return expression.type === 'Literal' ? [] : [replace(node, ';')]
  }
  if (node.type === 'ReturnStatement' && node.argument) return [replace(node.argument, 'undefined')]
  const isBody = parent?.type === 'ArrowFunctionExpression' && parent.body === node && node.type !== 'BlockStatement'
  if (isBody) return [replace(node, 'undefined')]
  const isAttribute = node.type === 'JSXAttribute' && node.name.type === 'JSXIdentifier' && !looks.test(node.name.name)
  return isAttribute ? [replace(node, '')] : []
}

const flippedValue: Rule = ({ node, around: [parent], textOf }) => {
  if (node.type === 'Literal' && typeof node.value === 'boolean') return [replace(node, String(!node.value))]
  if (node.type === 'UnaryExpression' && node.operator === '!') return [replace(node, textOf(node.argument))]
  if (node.type === 'LogicalExpression' && node.operator === '??') return [replace(node, textOf(node.left))]
  // In an array it is there for the types alone, mostly.
  return node.type === 'AssignmentPattern' && parent?.type !== 'ArrayPattern' ? [replace(node, textOf(node.left))] : []
}

/** Ways to break a program. Where two make the same change, the outermost counts, then the first of these. */
export const rules = {
  comparison,
  sign,
  'off by one': offByOne,
  'missing right': missingRight,
  'missing release': missingRelease,
  'dropped condition': droppedCondition,
  'dropped await': droppedAwait,
  'swapped values': swappedValues,
  'dropped statement': droppedStatement,
  'flipped value': flippedValue,
} satisfies Record<string, Rule>

export type FaultKind = keyof typeof rules
