import { expect, test } from 'bun:test'

import { Glob } from 'bun'

const folders =
  '{contract,models,dialects,providers,http-client,gateway,console,simulator,bench,e2e,scripts,docs,deploy}'

/** The documents that lead through the code: a file they name must be there. */
const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/recipes.md'].concat(
  Array.from(new Glob(`${folders}/**/README.md`).scanSync('.')).filter((path) => !/node_modules|^docs\//.test(path)),
)

const paths = Array.from(new Glob(`${folders}/**/*`).scanSync('.'), (path) => `/${path}`).filter(
  (path) => !/\/node_modules\/|\/dist\//.test(path),
)

const fileName = /^[\w.*<>{},-]+\.(?:tsx?|json|md|css|sh)$/
const pathName = /^[\w*<>{},-]+\/[\w.*<>{},/-]*$/
const built = 'console/dist'

/** Names with a slash in code, and code that is the name of a file and nothing else: commands have files of their own. */
function namedIn(text: string): string[] {
  const code = Array.from(text.matchAll(/```([^]*?)```|`([^`\n]+)`/g), ([, block, span]) => block ?? span ?? '')
  const names = code.flatMap((part) =>
    fileName.test(part) ? [part] : part.split(/[\s()]+/).filter((word) => pathName.test(word)),
  )
  return [...new Set(names)].filter((name) => name !== built)
}

/** `<area>` stands for any name; each name in braces must exist. */
function isThere(name: string): boolean {
  const [braces, choices] = /\{([^}]+)\}/.exec(name) ?? []
  if (braces !== undefined && choices !== undefined) {
    return choices.split(',').every((choice) => isThere(name.replace(braces, choice)))
  }
  const pattern = name.replaceAll('.', '\\.').replaceAll(/<\w+>|\*/g, '[^/]+')
  const end = name.endsWith('/') ? '' : '(?:/|$)'
  const expected = new RegExp(`/${pattern}${end}`)
  return paths.some((path) => expected.test(path))
}

test.each(documents)('%s names only files and folders that exist', async (document) => {
  const named = namedIn(await Bun.file(document).text())
  expect(named.length).toBeGreaterThan(document.endsWith('README.md') ? 0 : 10)
  expect(named.filter((name) => !isThere(name))).toEqual([])
})
