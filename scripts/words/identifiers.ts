import { declarationsIn, type Declaration } from './declarations'

/** Words that a native engineer would not use in a name; the table of CONTRIBUTING, "Language", as far as a program can see it. */
interface Rule {
  /** The words of a name, in lower case: `maxRows` is `max rows`. */
  readonly pattern: RegExp
  /** What to write instead. */
  readonly instead: string
  readonly only?: 'functions' | 'types'
  /** Where the word is the right one. */
  readonly except?: RegExp
}

const rules: readonly Rule[] = [
  {
    pattern: /\b(?:most|longest|largest|biggest)\b(?! (?:recent|used|frequent|common|expensive))/,
    instead: '"max…", "max…Length"',
  },
  { pattern: /\b(?:least|shortest|smallest)\b(?! (?:recent|used|frequent|common|expensive))/, instead: '"min…"' },
  { pattern: /\bdearest\b/, instead: '"highestPriced…", "max…"' },
  { pattern: /\b(?:told|tells?)\b/, instead: '"reported", "listed", "notify…"' },
  { pattern: /\basks?\b|\basked\b/, instead: '"requested", "query"' },
  { pattern: /\b(?:wanted|wants?)\b/, instead: '"requested…", "…Query"' },
  { pattern: /^given\b(?! name)/, instead: 'what it is' },
  { pattern: /\bmade\b/, instead: '"created", or what it is' },
  { pattern: /\bparts$/, only: 'types', instead: '"Deps" for dependencies, "…Options" for settings' },
  { pattern: /\bpatien(?:ce|t)\b/, instead: '"timeoutMs", "graceMs", "retrying…"' },
  { pattern: /^look(?: ms\b|$)/, instead: '"pollIntervalMs", "poll()"', except: /^e2e\/browser\// },
  { pattern: /\b(?:who|whose|whom)\b|\b(?:no|some|any|every)body\b/, instead: 'the role: caller, client, owner' },
  { pattern: /\bnothing\b|^none$/, instead: '"empty…", "no…"' },
  { pattern: /\bpictur/, instead: '"image"' },
  { pattern: /\bbesides?\b/, instead: '"nextTo", or the noun' },
  { pattern: /(?<!\bone )\bways?\b/, instead: '"mode", "method", "inProgress"' },
  { pattern: /\bbegun\b/, instead: '"started"' },
  { pattern: /\b(?:said|says?|saying)\b/, instead: '"text", "reported"' },
  { pattern: /(?<!ding )\btalks?\b/, instead: '"conversation"' },
  { pattern: /\bkept\b/, instead: '"stored", "cached", "retained"' },
  { pattern: /\bplace of\b|\b(?:sealed|call) place\b/, instead: '"indexOf…", "context"' },
  { pattern: /^fold(?: usage| measures| sums)?$/, instead: '"rollUp…"' },
  { pattern: /\bunfold/, instead: '"expand…"' },
  {
    pattern: /\b(?:owed|blame|judged?|pursue|hasten|tame|manner|outsider|unasked|understood|worded)\b/,
    instead: 'a term of the field',
  },
  { pattern: /^(?:reach|borders)\b/, instead: '"range", "boundaries"' },
  { pattern: /^reason of\b/, instead: '"messageOf"' },
  { pattern: /\bdoors?\b/, instead: '"signInProvider"' },
  { pattern: /^books?\b/, instead: '"ledger audit"', except: /^(?!e2e|simulator)/ },
]

const responses: Rule = {
  pattern: /\banswer(?:s|ed|ing)?\b/,
  instead: '"response": an answer is what a model says',
  except: /^dialects\/|^providers\/|^console\/src\/features\/playground\//,
}

const irregular =
  'begun|bought|built|chosen|done|drawn|fallen|found|given|gone|held|hidden|kept|known|learnt|left|lost|made|meant|met|paid|said|seen|sent|shown|sold|spent|spoken|taken|thrown|told|understood|written'
const participles: Rule = {
  pattern: new RegExp(
    `^(?:${irregular}|(?!sorted$|embed$|feed$|need$|seed$|speed$|exceed$|proceed$|succeed$)[a-z]+ed)(?: of)?$`,
  ),
  only: 'functions',
  instead: 'a verb: "computeCharge", "deleteUser"',
}

/** What has a budget of its own, as long as there are names of before. */
const kinds = { words: rules, responses: [responses], participles: [participles] } satisfies Record<
  string,
  readonly Rule[]
>

export interface Found extends Declaration {
  readonly kind: string
  readonly instead: string
}

/** Returns the declared names of a file that have to be others, with what to write instead. */
export function faultyNames(file: string, text: string): Found[] {
  return declarationsIn(file, text).flatMap((declaration) => {
    // Names with an underscore are those of the wire and of columns.
    if (/[a-z]_|^_/.test(declaration.name)) return []
    const words = wordsOf(declaration.name)
    return Object.entries(kinds).flatMap(([kind, list]) => {
      const rule = list.find((each) => isBroken(each, file, declaration, words))
      return rule ? [{ ...declaration, kind, instead: rule.instead }] : []
    })
  })
}

function isBroken(
  { pattern, only, except }: Rule,
  file: string,
  { name, isFunction, isType }: Declaration,
  words: string,
): boolean {
  if (except?.test(file) || !pattern.test(words)) return false
  if (only === 'types') return isType
  // A component is a noun.
  return only !== 'functions' || (isFunction && !/^[A-Z]/.test(name))
}

/** `maxTextLength` is `max text length`, `parseHTTPHead` is `parse http head`. */
const wordsOf = (name: string): string =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).join(' ').toLowerCase()
