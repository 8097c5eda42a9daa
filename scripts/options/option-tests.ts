import { Glob } from 'bun'

/** A test that sets an option, by its file and title. */
export interface OptionTest {
  readonly file: string
  readonly title: string
}

/** Tests that go over all options alike, or set them only to look at a form, show no effect. */
const general =
  /node_modules|^contract\/|^console\/src\/features\/(?:settings|setup)\/|^gateway\/src\/console-api\/(?:options|audit)\/(?:options|audit)\.test|^gateway\/src\/(?:channels\/catalog|app\/commands|platform\/telemetry\/log|http\/request\/checked-value|billing\/metering\/price-book)|^gateway\/test\//

/** A title with the function behind it: `test('title', async () =>`, the same by `once`, and the same at the end of `test.each(…)`. */
const testStart = /(?:\b(?:test|once)|\))\(\s*(['"`])([^\n]+?)\1,\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>/g

/** Where several tests set an option: words from the title of the one that is about it. */
export type Preferred = Readonly<Record<string, string>>

/** Reads all tests. Returns for each of the keys a test that gives the option a value. */
export async function testsOfOptions(
  root: string,
  keys: readonly string[],
  preferred: Preferred,
): Promise<ReadonlyMap<string, OptionTest>> {
  const files = (await Array.fromAsync(new Glob('{gateway,console,e2e}/**/*.test.{ts,tsx}').scan(root)))
    .filter((file) => !general.test(file))
    .sort((one, other) => rankOf(one) - rankOf(other) || one.localeCompare(other))
  const found = new Map<string, OptionTest>()
  for (const file of files) {
    const source = await Bun.file(`${root}/${file}`).text()
    for (const key of keys) {
      const titles = titlesSetting(source, key)
      const preferredTitle = preferred[key]
      const title = preferredTitle === undefined ? titles[0] : titles.find((one) => one.includes(preferredTitle))
      if (title !== undefined && !found.has(key)) found.set(key, { file, title })
    }
  }
  return found
}

/** The gateway's own tests say more of an effect than the console's, and both are quicker to read than a journey. */
const rankOf = (file: string): number => ['gateway', 'console', 'e2e'].findIndex((folder) => file.startsWith(folder))

/** Titles of the tests of a file that set the option: as a member of an object, a constant, or the first of several values. */
export function titlesSetting(source: string, key: string): readonly string[] {
  if (!source.includes(key)) return []
  const name = key.replaceAll('.', String.raw`\.`)
  const setting = new RegExp(
    String.raw`(?<![\w.'])(?:${name}\??:\s|const ${name} = |key: '${name}'|(['"])${name}\1(?:\]?:\s|,\s))`,
    'g',
  )
  const titles = [...source.matchAll(testStart)]
    .map(({ index, 2: title = '' }) => ({ index, title }))
    .filter(({ index }) => !isOfDescribe(source, index))
  const places = [...source.matchAll(setting)].map(({ index }) => index)
  return [...new Set(places.flatMap((position) => titleAround(titles, source, position) ?? []))]
}

interface Title {
  readonly index: number
  readonly title: string
}

/** What stands outside of a test, as the rows of a table do, is taken to belong to the next one. */
function titleAround(titles: readonly Title[], source: string, position: number): string | undefined {
  const before = titles.findLast(({ index }) => index < position)
  const isWithin = before !== undefined && indentAt(source, position) > indentAt(source, before.index)
  const isRow = before !== undefined && lastRows(source, position) > before.index
  return (isWithin && !isRow ? before : (titles.find(({ index }) => index > position) ?? before))?.title
}

const indentAt = (source: string, index: number): number =>
  /^ */.exec(source.slice(source.lastIndexOf('\n', index) + 1))?.[0].length ?? 0

/** Where the rows of a test begin that stand before a position. */
const lastRows = (source: string, position: number): number =>
  Math.max(source.lastIndexOf('test.each(', position), source.lastIndexOf('once.each(', position))

/** The end of `describe.each(…)` looks like that of `test.each(…)`. */
const isOfDescribe = (source: string, index: number): boolean =>
  source[index] === ')' && source.lastIndexOf('describe.each(', index) > lastRows(source, index)
