import { Glob } from 'bun'

/**
 * A list of phrases that a native English-speaking engineer would not write, held against code, tests, documents and the English
 * texts of the console. CONTRIBUTING, "Language", has the rule; this catches what comes back.
 */
interface Phrase {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly instead: string
}

const phrases: readonly Phrase[] = [
  { pattern: /\b(?:whoever|nobody|somebody)\b/i, instead: 'name the role: the caller, the client, no one' },
  { pattern: /\/\*\* Answers\b/, instead: '"Returns"' },
  { pattern: /\/\*\* Of /, instead: 'a verb or the noun itself' },
  {
    pattern: /\b(?:is|are|was|were|be|been) no (?!longer|more|one|such|different|doubt|way|need|other)[a-z]/,
    instead: '"is not a …" or "there is no …"',
  },
  { pattern: /\b(?:is|are|was|were|be) none\b/, instead: '"there is none" or "is not one"' },
  { pattern: /\bat the (?:most|least)\b/, instead: '"at most", "at least"' },
  { pattern: /\beach \d/, instead: '"every 30 s"' },
  { pattern: /\bin a circle\b/, instead: '"circular"' },
  { pattern: /\bknock(?:s|ed|ing)?\b/i, instead: '"probe"' },
  { pattern: /\bso (?:many|long)\b(?! as)/, instead: 'the number, or "this many"' },
  { pattern: /\bsaid of\b|\btold in\b|\bheard of\b/, instead: '"reported", "in"' },
]

/** A title reads alone: subject, verb, outcome. These cannot begin such a sentence. */
const fragment =
  /^\s*(?:test|it)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*['"`](?:of|that|with|without|whose|which|where|when|who|in|for|from|by|on|as|to|also|and|but|is|are|has|have|was|were|does|do|can|may)\b/

/** Not read yet. */
const pending: readonly string[] = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'bench/caller.ts',
  'bench/cpu-profile.ts',
  'bench/fill/',
  'bench/held.ts',
  'bench/lab.test.ts',
  'bench/lab.ts',
  'bench/load-run.ts',
  'bench/load.test.ts',
  'bench/load.ts',
  'bench/parts/',
  'bench/profile.ts',
  'bench/reconcile.ts',
  'bench/run.ts',
  'bench/scenarios.ts',
  'bench/size/',
  'console/src/app/',
  'console/src/components/',
  'console/src/features/audit/',
  'console/src/features/channels/',
  'console/src/features/chat/',
  'console/src/features/coupons/',
  'console/src/features/dashboard/',
  'console/src/features/home/',
  'console/src/features/inbox/',
  'console/src/features/login/',
  'console/src/features/logs/',
  'console/src/features/me/',
  'console/src/features/messages/',
  'console/src/features/oauth/',
  'console/src/features/orders/',
  'console/src/features/playground/',
  'console/src/features/price-sync/',
  'console/src/features/prices/',
  'console/src/features/pricing/',
  'console/src/features/register/',
  'console/src/features/reset/',
  'console/src/features/settings/',
  'console/src/features/setup/',
  'console/src/features/tokens/',
  'console/src/features/users/',
  'console/src/features/wallet/',
  'console/src/lib/',
  'console/src/locales/',
  'console/src/routes/',
  'console/test/render.tsx',
  'console/vite/chunk-plan.ts',
  'contract/src/',
  'dialects/src/',
  'docs/decisions/',
  'docs/guide.md',
  'docs/operate.md',
  'docs/options.md',
  'docs/recipes.md',
  'docs/reliability.md',
  'docs/scaling.md',
  'docs/security.md',
  'e2e/balance.test.ts',
  'e2e/black-hole.ts',
  'e2e/books.ts',
  'e2e/browser/',
  'e2e/clocks.test.ts',
  'e2e/concurrency.test.ts',
  'e2e/console.ts',
  'e2e/disconnect.test.ts',
  'e2e/drain.test.ts',
  'e2e/errors.test.ts',
  'e2e/gateway.ts',
  'e2e/kill.test.ts',
  'e2e/left-behind.test.ts',
  'e2e/load.ts',
  'e2e/matrix/',
  'e2e/nodes/',
  'e2e/outage/',
  'e2e/resources.test.ts',
  'e2e/retries.test.ts',
  'e2e/soak/',
  'e2e/start-failures.test.ts',
  'gateway/src/accounts/',
  'gateway/src/catalog/',
  'gateway/src/channels/',
  'gateway/src/commands/',
  'gateway/src/config.ts',
  'gateway/src/context.ts',
  'gateway/src/features/',
  'gateway/src/http/',
  'gateway/src/jobs/',
  'gateway/src/ledger/',
  'gateway/src/limits/',
  'gateway/src/log-texts/',
  'gateway/src/log/',
  'gateway/src/lru-cache.ts',
  'gateway/src/mail/',
  'gateway/src/mask.ts',
  'gateway/src/messages/',
  'gateway/src/metering/',
  'gateway/src/metrics/',
  'gateway/src/notices/',
  'gateway/src/outbound/',
  'gateway/src/payments/',
  'gateway/src/price-sync/',
  'gateway/src/process/',
  'gateway/src/relay/',
  'gateway/src/routing/',
  'gateway/src/store/',
  'gateway/src/tracing/',
  'gateway/src/unknown-variables.test.ts',
  'gateway/src/upkeep/',
  'gateway/src/upstream/',
  'gateway/src/usage-sums/',
  'gateway/src/version.ts',
  'gateway/test/calls.ts',
  'gateway/test/console-client.ts',
  'gateway/test/databases.ts',
  'gateway/test/ledger-simulation.ts',
  'gateway/test/mail-server.ts',
  'gateway/test/relay-world.ts',
  'gateway/test/simulation/',
  'models/src/',
  'providers/src/',
  'scripts/build-console.ts',
  'scripts/build-gateway.ts',
  'scripts/check.ts',
  'scripts/console/',
  'scripts/deploy.test.ts',
  'scripts/model-catalog/',
  'scripts/operate.test.ts',
  'scripts/parsed-values.ts',
  'scripts/start.ts',
  'scripts/test-output.ts',
  'scripts/test-services.ts',
  'simulator/src/',
]

const places = [
  '{contract,models,dialects,providers,gateway,console,simulator,bench,e2e,scripts}/**/*.{ts,tsx}',
  '*.md',
  'docs/**/*.md',
  'console/src/locales/en/*.json',
  'gateway/src/locales/*.en.json',
]
const isOther = /node_modules|\/dist\/|\.gen\.ts$|\/fixtures\/|scripts\/words\.ts$/

const only = process.argv.slice(2)
const faults: string[] = []
for (const place of places) {
  for await (const file of new Glob(place).scan('.')) {
    if (isOther.test(file) || isSkipped(file)) continue
    for (const [index, line] of (await Bun.file(file).text()).split('\n').entries()) {
      for (const { pattern, instead } of phrases) {
        const [found] = pattern.exec(line) ?? []
        if (found !== undefined) faults.push(`${file}:${index + 1}: "${found}": write ${instead}`)
      }
      if (fragment.test(line)) faults.push(`${file}:${index + 1}: the title is a fragment: ${line.trim()}`)
    }
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

/** With folders given, only they are read. */
function isSkipped(file: string): boolean {
  if (only.length > 0) return !only.some((folder) => file.startsWith(folder))
  return pending.some((folder) => file.startsWith(folder))
}
