import { parseSync, visitorKeys, type ArrowFunctionExpression, type Function, type Node } from 'oxc-parser'

/** A function that returns methods over variables of its own: a class without the name. */
export interface Closure {
  readonly name: string
  /** Where it stands in the text. */
  readonly start: number
  /** The variables that its methods share. */
  readonly state: readonly string[]
}

/** Returns the functions of a module whose returned object has two methods or more over variables that change. */
export function closuresIn(file: string, text: string): Closure[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse`)
  const found: Closure[] = []
  visit(program, (node) => {
    if (!isFunction(node) || node.body?.type !== 'BlockStatement') return
    const statements = node.body.body
    const state = statements.flatMap(changingNames)
    const inner = new Set(
      statements.flatMap((each) => (each.type === 'FunctionDeclaration' && each.id ? [each.id.name] : [])),
    )
    const methods = Math.max(0, ...statements.map((each) => countMethods(each, inner)))
    if (state.length > 0 && methods > 1) found.push({ name: nameOf(node), start: node.start, state })
  })
  return found
}

/** `let`, and collections that are filled later. */
function changingNames(statement: Node): string[] {
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id, init }) => {
    const isFilled =
      init?.type === 'NewExpression' &&
      init.callee.type === 'Identifier' &&
      /^(?:Weak)?(?:Map|Set)$/.test(init.callee.name)
    return id.type === 'Identifier' && (statement.kind === 'let' || isFilled) ? [id.name] : []
  })
}

function countMethods(statement: Node, inner: ReadonlySet<string>): number {
  if (statement.type !== 'ReturnStatement' || statement.argument?.type !== 'ObjectExpression') return 0
  return statement.argument.properties.filter((property) => {
    if (property.type !== 'Property') return false
    const { value } = property
    return isFunction(value) || (value.type === 'Identifier' && inner.has(value.name))
  }).length
}

type FunctionNode = ArrowFunctionExpression | Function

const isFunction = (node: Node): node is FunctionNode =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

const nameOf = (node: FunctionNode): string => ('id' in node && node.id ? node.id.name : 'a function')

function visit(node: Node, enter: (node: Node) => void): void {
  enter(node)
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [Reflect.get(node, key)].flat()) if (isNode(child)) visit(child, enter)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value
