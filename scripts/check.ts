import { rmSync } from 'node:fs'
import { totalmem } from 'node:os'

import { Glob } from 'bun'

import { contentStamp } from './content-stamp'

const typesFile = await typesFileOf(`${import.meta.dir}/..`)

/** Every check that does not run the code, in parallel. */
const checks: Record<string, string[]> = {
  format: ['oxfmt', '--check', '.'],
  lint: [process.execPath, 'scripts/lint.ts'],
  // Two checkers, as the others end long before: a third works out shared types once more. What they find is kept for the next run: 4 to 7 s
  // of processor time in place of 29, unless a file that most import has changed.
  types: ['tsc', '--noEmit', '-p', '.', '--checkers', '2', '--incremental', '--tsBuildInfoFile', typesFile],
  boundaries: [process.execPath, 'scripts/boundaries.ts'],
  anatomy: [process.execPath, 'scripts/anatomy.ts', '--exact'],
  texts: [process.execPath, 'scripts/texts.ts'],
  options: [process.execPath, 'scripts/options.ts'],
  recordings: [process.execPath, 'scripts/recordings.ts'],
  styles: [process.execPath, 'scripts/styles.ts'],
  words: [process.execPath, 'scripts/words.ts', '--exact'],
  patterns: [process.execPath, 'scripts/patterns.ts'],
  asserts: [process.execPath, 'scripts/asserts.ts'],
  timers: [process.execPath, 'scripts/timers.ts'],
  closures: [process.execPath, 'scripts/closures.ts'],
  prices: [process.execPath, 'scripts/prices.ts'],
  // Its first line asks for Node, which takes twice as long as Bun.
  'dead code': [process.execPath, '--bun', `${import.meta.dir}/../node_modules/.bin/knip`, '--no-progress'],
}

/**
 * The compiler and the linter are Go programs that end soon and need 4 GB each with all they ever allocate: without collecting garbage they
 * take 39 s of processor time for linting in place of 58, and 45 for the types in place of 49. Where a third of the memory is less, they
 * collect.
 */
const environment = {
  GOGC: 'off',
  GOMEMLIMIT: String(Math.floor(totalmem() / 3)),
  ...process.env,
  PATH: searchPath(),
}

const results = await Promise.all(
  Object.entries(checks).map(async ([name, command]) => {
    const started = performance.now()
    const run = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', env: environment })
    const [output, errors, code] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ])
    return { name, code, output: output + errors, seconds: (performance.now() - started) / 1000 }
  }),
)

for (const { name, code, output, seconds } of results) {
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`)
  if (code !== 0) console.log(output)
}
process.exit(results.every(({ code }) => code === 0) ? 0 : 1)

/**
 * Returns the file of what the compiler found last. When only a JSON file has changed, TypeScript 7.0.2 does not check again what imports it,
 * so other contents of those begin another file.
 */
async function typesFileOf(root: string): Promise<string> {
  const stamp = await contentStamp(root, { sources: ['*/src/**/*.json', '*/package.json'], isOther: /node_modules/ })
  const folder = `${root}/node_modules/.cache`
  const name = `types.${stamp.slice(0, 16)}.tsbuildinfo`
  const earlier = await Array.fromAsync(new Glob('types*.tsbuildinfo').scan({ cwd: folder })).catch(() => [])
  for (const other of earlier) if (other !== name) rmSync(`${folder}/${other}`, { force: true })
  return `${folder}/${name}`
}

/** The tools of this checkout first. */
function searchPath(): string {
  return `${import.meta.dir}/../node_modules/.bin:${process.env['PATH'] ?? ''}`
}
