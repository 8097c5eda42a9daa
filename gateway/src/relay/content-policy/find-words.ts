/** Up to this number, searching for each word is faster than the automaton. */
const fewWords = 16

/** Returns a function that finds the words that occur in a text, each once. */
export const findWords = (words: readonly string[]): ((text: string) => string[]) =>
  words.length <= fewWords ? oneByOne(words) : automaton(words)

const oneByOne =
  (words: readonly string[]) =>
  (text: string): string[] =>
    words.filter((word) => text.includes(word))

interface State {
  readonly next: Map<number, State>
  fallback: State | null
  /** Words that end in this state. */
  words: readonly string[]
}

const newState = (): State => ({ next: new Map(), fallback: null, words: [] })

/** Aho-Corasick automaton: one pass over the text, however many words there are. */
function automaton(words: readonly string[]): (text: string) => string[] {
  const root = newState()
  for (const word of words) insert(root, word)
  link(root)
  return (text) => {
    const found = new Set<string>()
    let state = root
    for (let index = 0; index < text.length; index += 1) {
      state = step(root, state, text.charCodeAt(index))
      for (const word of state.words) found.add(word)
    }
    return [...found]
  }
}

function insert(root: State, word: string) {
  let state = root
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index)
    const known = state.next.get(code)
    const next = known ?? newState()
    if (!known) state.next.set(code, next)
    state = next
  }
  state.words = [word]
}

/** Links each state to that of its longest proper suffix, level by level. */
function link(root: State) {
  const queue: State[] = [...root.next.values()]
  for (const state of queue) state.fallback = root
  for (const state of queue) {
    for (const [code, next] of state.next) {
      next.fallback = step(root, state.fallback ?? root, code)
      next.words = [...next.words, ...next.fallback.words]
      queue.push(next)
    }
  }
}

function step(root: State, from: State, code: number): State {
  let state: State | null = from
  while (state) {
    const next: State | undefined = state.next.get(code)
    if (next) return next
    state = state.fallback
  }
  return root
}
