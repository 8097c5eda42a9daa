import { parseSync, visitorKeys, type Expression, type Node } from 'oxc-parser'

/** Returns the syntax tree of a module; undefined where the text does not parse. */
export function parse(file: string, text: string): Node | undefined {
  const { program, errors } = parseSync(file, text)
  return errors.length > 0 ? undefined : program
}

/** Types that hold an expression; all others are gone when the module runs. */
const holdsExpression = /^TS(?:As|Satisfies|NonNull)/
const isGone = ({ type }: Node) =>
  (type.startsWith('TS') && !holdsExpression.test(type)) ||
  type === 'ImportDeclaration' ||
  type === 'ExportAllDeclaration'

/** Visits all that is there when the module runs, from the outside in, with the nodes around it, nearest first. */
export function walk(
  node: Node,
  visit: (node: Node, around: readonly Node[]) => void,
  around: readonly Node[] = [],
): void {
  if (isGone(node)) return
  visit(node, around)
  for (const child of childrenOf(node)) walk(child, visit, [node, ...around])
}

function childrenOf(node: Node): Node[] {
  const children = (visitorKeys[node.type] ?? []).map((key): unknown => Reflect.get(node, key))
  return children.flat().filter(isNode)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Returns the last name of what is called: `release` of `call.slot.release()`. */
export function calleeOf(node: Node): string | undefined {
  if (node.type === 'AwaitExpression' || (node.type === 'UnaryExpression' && node.operator === 'void'))
    return calleeOf(node.argument)
  if (node.type === 'ChainExpression') return calleeOf(node.expression)
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : undefined
}

export const nameOf = (node: Node): string | undefined =>
  node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : undefined

/** A name or a path of names: what takes the place of another without a change of anything else. */
export const isPlain = (node: Node): boolean =>
  (node.type === 'Identifier' && node.name !== 'undefined') ||
  (node.type === 'MemberExpression' && !node.computed && isPath(node.object))

const isPath = (node: Node): boolean => isPlain(node) || node.type === 'ThisExpression'

/** A text, as far as can be seen. */
export const isText = (node: Expression | Node): boolean =>
  (node.type === 'Literal' && typeof node.value === 'string') ||
  node.type === 'TemplateLiteral' ||
  (node.type === 'BinaryExpression' && node.operator === '+' && (isText(node.left) || isText(node.right)))
