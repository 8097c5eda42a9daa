import { parseSync, visitorKeys, type Node } from 'oxc-parser'

/** A name that a module introduces: of a variable, parameter, function, type, member or alias of an import. */
export interface Declaration {
  readonly name: string
  /** Where it stands in the text. */
  readonly start: number
  readonly isFunction: boolean
  readonly isType: boolean
}

/** Returns the names that a module introduces. Keys of object literals are left out: the type that they follow declares them. */
export function declarationsIn(file: string, text: string): Declaration[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse`)
  const found: Declaration[] = []
  const declare = (node: Node | null | undefined, { isFunction = false, isType = false } = {}) => {
    if (node?.type !== 'Identifier' && node?.type !== 'PrivateIdentifier') return
    found.push({ name: node.name, start: node.start, isFunction, isType })
  }
  visit(program, (node) => {
    switch (node.type) {
      case 'VariableDeclarator':
        if (node.id.type === 'Identifier')
          declare(node.id, { isFunction: isFunction(node.init) || isFunctionType(node.id) })
        else for (const name of namesOf(node.id)) declare(name)
        break
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'TSDeclareFunction':
        declare(node.id, { isFunction: true })
        for (const parameter of node.params)
          for (const name of namesOf(parameter)) declare(name, { isFunction: isFunctionType(name) })
        break
      case 'ClassDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        declare(node.id, { isType: true })
        break
      case 'MethodDefinition':
        if (!node.computed) declare(node.key, { isFunction: node.kind === 'method' })
        break
      case 'PropertyDefinition':
        if (!node.computed) declare(node.key, { isFunction: isFunction(node.value) })
        break
      case 'TSPropertySignature':
        if (!node.computed) declare(node.key, { isFunction: isFunctionType(node) })
        break
      case 'TSMethodSignature':
        if (!node.computed) declare(node.key, { isFunction: node.kind === 'method' })
        break
      case 'CatchClause':
        for (const name of namesOf(node.param)) declare(name)
        break
      case 'ImportSpecifier':
        if (node.imported.start !== node.local.start) declare(node.local)
        break
      case 'ImportNamespaceSpecifier':
        declare(node.local)
        break
      default:
    }
  })
  return found
}

function visit(node: Node, enter: (node: Node) => void): void {
  enter(node)
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [Reflect.get(node, key)].flat()) if (isNode(child)) visit(child, enter)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Returns the names of a pattern; of `{ key: name }` the second. */
function namesOf(pattern: Node | null): Node[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      // `{ key }` repeats a name that is declared elsewhere.
      return pattern.properties.flatMap((property) =>
        property.type === 'RestElement'
          ? namesOf(property.argument)
          : property.shorthand
            ? []
            : namesOf(property.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf)
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    case 'TSParameterProperty':
      return namesOf(pattern.parameter)
    default:
      return []
  }
}

const isFunction = (node: Node | null): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'

const isFunctionType = (node: Node): boolean =>
  'typeAnnotation' in node &&
  node.typeAnnotation?.type === 'TSTypeAnnotation' &&
  node.typeAnnotation.typeAnnotation.type === 'TSFunctionType'
