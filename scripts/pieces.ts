/**
 * What features of the console do not make for themselves, because a piece in `console/src/components` does it: a name imported
 * from the kit, or code, with the piece to use instead. A new piece is a line here.
 */
interface Rule {
  /** A package and one of its names. */
  readonly imports?: readonly [from: string, name: string]
  /** Or any other code. */
  readonly code?: RegExp
  readonly advice: string
}

const kit = '@mantine/core'
const searched = 'use a combobox of components/combobox, or ChoiceSelect for a few fixed choices'

const rules: readonly Rule[] = [
  { imports: [kit, 'Select'], advice: searched },
  { imports: [kit, 'MultiSelect'], advice: searched },
  { imports: [kit, 'Autocomplete'], advice: searched },
  { imports: [kit, 'Combobox'], advice: searched },
  { imports: [kit, 'NativeSelect'], advice: 'use ChoiceSelect' },
  { imports: [kit, 'Tabs'], advice: 'use RouteTabs for the parts of a page, PanelTabs for those of a dialog' },
  { imports: [kit, 'Pagination'], advice: 'use DataTable, or ListFooter for a list within a dialog' },
  { imports: [kit, 'TagsInput'], advice: 'use TagsField' },
  { code: /<(?:select|datalist)\b/g, advice: searched },
  { imports: ['@mantine/dates', '*'], advice: 'use TimeField or RangeChoice' },
  { code: /\btype="(?:date|time|datetime-local)"/g, advice: 'use TimeField or RangeChoice' },
  { code: /\bprefix="\$"/g, advice: 'use MoneyInput, QuotaField or DollarInput' },
  { imports: [kit, 'Tooltip'], advice: 'use Tip' },
  { imports: [kit, 'Menu'], advice: 'use MenuButton' },
  { imports: [kit, 'CopyButton'], advice: 'use CopyButton or CopyField of components' },
  { code: /\bwindow\.confirm\(|(?<![\w.])confirm\(/g, advice: 'use ConfirmButton, in a DangerZone' },
]

/** Returns what a feature's file makes for itself, a line each: where, what, and what to use. */
export function copiesIn(path: string, text: string): string[] {
  return rules.flatMap(({ imports, code, advice }) =>
    [...text.matchAll(imports ? importOf(...imports) : (code ?? /$^/g))].map((match) => {
      const line = text.slice(0, match.index).split('\n').length
      const what = imports ? `${imports[1]} of ${imports[0]}` : match[0]
      return `${path}:${line}: ${what} (${advice})`
    }),
  )
}

/** Finds an import of a name from a package; `*` finds any import of it, types aside. */
const importOf = (from: string, name: string): RegExp =>
  name === '*'
    ? new RegExp(`^import (?!type\\b)[^;]*?'${from}'`, 'gm')
    : new RegExp(`^import (?!type\\b)\\{[^}]*(?<![\\w ]\\w|type )\\b${name}\\b(?! as)[^}]*\\} from '${from}'`, 'gm')
