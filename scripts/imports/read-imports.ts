/** One import, or one export of another module's names. */
export interface Import {
  readonly specifier: string
  /** What the other module calls what is taken from it; 'all' where it is taken or run as a whole. */
  readonly names: readonly string[] | 'all'
  /** It is gone when the module runs. */
  readonly isType: boolean
  /** It is loaded when the module asks for it. */
  readonly isLazy: boolean
  /** Its names are exported again. */
  readonly isExport: boolean
}

/** A name that a module exports. */
export interface Export {
  readonly name: string
  /** Where it comes from; undefined where this module declares it. */
  readonly from?: { readonly specifier: string; readonly name: string }
}

// Patterns, not a parser: 3,500 files are read in 20 ms instead of 2 s. An import inside a text counts as one, which reaches too much, never
// too little. Names, commas and braces are all that may stand before `from`: a declaration above it does not belong to it.
const fromModule =
  /^(import|export)\s+(type\s+)?((?:\w+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)|\w+)\s+from\s+['"]([^'"]+)['"]/gm
const run = /^import\s+['"]([^'"]+)['"]/gm
const loaded = /\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g
const declared =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|type|interface|enum)\s+(\w+)/gm
const listed = /^export\s+(?:type\s+)?\{([^}]*)\}(?!\s+from)/gm

/** Returns the imports of a module. */
export function importsIn(text: string): Import[] {
  const imports: Import[] = []
  for (const [, keyword, type, clause = '', specifier = ''] of text.matchAll(fromModule)) {
    const bindings = bindingsIn(clause)
    const isType =
      type !== undefined || (bindings !== 'all' && bindings.length > 0 && bindings.every((it) => it.isType))
    imports.push({ specifier, names: namesOf(bindings), isType, isLazy: false, isExport: keyword === 'export' })
  }
  for (const [, specifier = ''] of text.matchAll(run))
    imports.push({ specifier, names: 'all', isType: false, isLazy: false, isExport: false })
  for (const [, specifier = ''] of text.matchAll(loaded))
    imports.push({ specifier, names: 'all', isType: false, isLazy: true, isExport: false })
  return imports
}

/** Returns what a module exports by name, and the modules all of whose names it exports. */
export function exportsIn(text: string): { readonly names: Export[]; readonly everythingOf: string[] } {
  const names: Export[] = []
  const everythingOf: string[] = []
  for (const [, keyword, , clause = '', specifier = ''] of text.matchAll(fromModule)) {
    if (keyword === 'import') continue
    const bindings = bindingsIn(clause)
    if (bindings !== 'all') {
      for (const { name, alias } of bindings) names.push({ name: alias, from: { specifier, name } })
    } else if (clause === '*') everythingOf.push(specifier)
    else names.push({ name: lastWord(clause), from: { specifier, name: '*' } })
  }
  for (const [, name = ''] of text.matchAll(declared)) names.push({ name })
  for (const [, list = ''] of text.matchAll(listed))
    for (const { alias } of bindingsOf(list)) names.push({ name: alias })
  return { names, everythingOf }
}

interface Binding {
  readonly name: string
  readonly alias: string
  readonly isType: boolean
}

/** A default import counts as the whole module. */
function bindingsIn(clause: string): readonly Binding[] | 'all' {
  const [, list] = /^\{([^}]*)\}$/.exec(clause) ?? []
  return list === undefined ? 'all' : bindingsOf(list)
}

function bindingsOf(list: string): Binding[] {
  const entries = list
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .split(',')
    .map((entry) => entry.trim())
  return entries.filter(Boolean).map((entry) => {
    const name = entry.replace(/^type\s+/, '')
    return { name: name.split(/\s/, 1)[0] ?? '', alias: lastWord(name), isType: name !== entry }
  })
}

const namesOf = (bindings: readonly Binding[] | 'all') =>
  bindings === 'all' ? bindings : bindings.map(({ name }) => name)

const lastWord = (text: string): string => text.split(/\s+/).at(-1) ?? ''
