/** Tests that a change reaches although none of them imports what changed. */
export interface Edge {
  readonly changed: RegExp
  /** A pattern of test files; `$1` stands for what the first group of the other pattern took. */
  readonly tests: string
  readonly why: string
}

/** These decide how every test runs. */
export const everything =
  /^(?:[\w-]+\/)?(?:package\.json|bunfig\.toml)$|^(?:bun\.lock|tsconfig\.json)$|^gateway\/test\/(?:quick-passwords|left-open|left-behind|end-of-each)\.ts$|^e2e\/browser\/end\.ts$/

const isSource = (folders: string) => new RegExp(`^(?:${folders})/src/(?!.*(?:\\.test\\.tsx?|\\.json|\\.md)$)`)

export const edges: readonly Edge[] = [
  {
    changed: /^/,
    tests: '^scripts/(?:named-paths|reliability|security-table)\\.test',
    why: 'documents name files and tests by path and title',
  },
  { changed: /^console\/test\/dom\.ts$/, tests: '^console/', why: 'components live in its globals' },
  { changed: /^(.+)\/fixtures\//, tests: '^$1/[^/]+\\.test', why: 'tests read the fixtures of their folder' },
  {
    changed: /\/fixtures\/|^docs\/recordings\.md$/,
    tests: '^scripts/recordings/',
    why: 'a page says where each fixture comes from',
  },
  {
    changed: /^console\/src\/locales\/\w+\/([\w-]+)\.json$/,
    tests: '^console/src/features/(?:[\\w-]+/)?$1/',
    why: 'features show these texts',
  },
  {
    changed: /^console\/src\/locales\//,
    tests:
      '^console/src/(?:lib/text/i18n|features/settings/option-texts)\\.test|^gateway/src/console-api/system/system\\.test',
    why: 'tests read the texts themselves',
  },
  {
    changed: /^gateway\/src\/platform\/store\/(?:migrations\/|schema\/|migrate\.ts|earlier-builds\.ts)/,
    tests: '^gateway/src/(?:platform/store|billing/ledger|app/jobs|operations)/',
    why: 'rooms that live by the schema run on both databases',
  },
  {
    changed: /^docs\/|^[A-Z]+\.md$|\/README\.md$/,
    tests: '^scripts/(?:operate|deploy|links|named-paths)\\.test|^e2e/first-run\\.test',
    why: 'tests try what documents say',
  },
  {
    changed: /^docs\/pricing\.md$/,
    tests: '^gateway/src/billing/pricing/worked-example\\.test',
    why: 'the test computes the figures of its example',
  },
  {
    changed: /^(?:deploy\/|compose\.yaml$|Dockerfile$)/,
    tests: '^scripts/(?:operate|deploy)\\.test|^e2e/(?:health-check|nodes/one-address)\\.test',
    why: 'tests hold what is deployed against the gateway',
  },
  {
    changed: /^scripts\/(?:build-|console\/)/,
    tests: '^scripts/console/|^e2e/browser/loading\\.test',
    why: 'the builds are what they make',
  },
  {
    changed: isSource('contract|models|dialects|providers|gateway'),
    tests: '^e2e/(?:sdk|charges|errors|retries|disconnect)\\.test',
    why: 'a few journeys stand for all that start the gateway',
  },
  {
    changed: isSource('console'),
    tests: '^e2e/browser/(?:addresses|shell)\\.test',
    why: 'a few journeys stand for all in the browser',
  },
]

/** Returns the test files that an edge leads to from these changes. */
export function testsAlong({ changed, tests }: Edge, paths: readonly string[], testFiles: readonly string[]): string[] {
  const patterns = new Set(
    paths.flatMap((path) => {
      const [match, group = ''] = changed.exec(path) ?? []
      return match === undefined ? [] : [tests.replace('$1', group)]
    }),
  )
  return testFiles.filter((file) => [...patterns].some((pattern) => new RegExp(pattern).test(file)))
}
