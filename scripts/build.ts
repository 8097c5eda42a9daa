import { join } from 'node:path'

import { Glob, type BunPlugin } from 'bun'

import { buildConsole } from './build-console'
import { commitDefine, commitOf } from './commit-of'

/** One executable with everything inside, that starts from an empty folder: dist/tollgate. */

const root = join(import.meta.dir, '..')
const consoleFolder = join(root, 'console/dist')

/** The console's files go into the executable, and their list to the module that the gateway asks. */
const embedConsole: BunPlugin = {
  name: 'embed-console',
  setup(build) {
    build.onLoad({ filter: /console-files[\\/]embedded\.ts$/ }, async () => ({
      loader: 'ts',
      contents: embeddedModule((await Array.fromAsync(new Glob('**/*').scan({ cwd: consoleFolder }))).sort()),
    }))
  },
}

function embeddedModule(names: readonly string[]): string {
  const imports = names.map(
    (name, index) => `import file${index} from ${JSON.stringify(join(consoleFolder, name))} with { type: 'file' }`,
  )
  const entries = names.map((name, index) => `${JSON.stringify(name.replaceAll('\\', '/'))}: file${index}`)
  return `${imports.join('\n')}\nexport const embedded = { ${entries.join(', ')} }\n`
}

/** Build it at this path, with the console of these sources. @throws Error when something does not build. */
export async function buildExecutable(outfile: string): Promise<void> {
  await buildConsole()
  await Bun.build({
    entrypoints: [join(root, 'gateway/src/main.ts')],
    target: 'bun',
    // What only workers or single commands need is loaded by them alone.
    splitting: true,
    minify: { syntax: true },
    define: commitDefine(commitOf(root)),
    compile: { outfile },
    plugins: [embedConsole],
  })
}

if (import.meta.main) {
  await buildExecutable(join(root, 'dist/tollgate'))
  console.log('Built dist/tollgate')
}
